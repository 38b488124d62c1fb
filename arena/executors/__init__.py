"""Who plays the jobs: something that takes jobs and gives back finished games."""
