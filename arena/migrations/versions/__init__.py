"""Each brings tables up by one version; Alembic reads these modules by themselves."""
