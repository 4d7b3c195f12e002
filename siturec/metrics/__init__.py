"""One file per dimension: outcome, navigation, visibility, recommendation, dialogue; and subsets."""
