"""Pictures of what a scene holds, drawn from its records alone; no store has to run for them."""
