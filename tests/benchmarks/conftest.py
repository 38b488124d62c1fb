"""Benchmarks are scripts (`make bench-quick`, `make bench`): pytest takes none of them for tests."""

collect_ignore_glob = ["*"]
