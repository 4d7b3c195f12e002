"""The researcher's way in: studies made, watched, steered and closed. Reading results is ``analysis``'s."""
