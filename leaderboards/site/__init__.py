"""The static site of a tournament: pages, their data, and the same as CSV and JSON.

contest     what a site is made of, as values
addresses   what its files are called
meetings    who met whom, and what came of it
boards charts bots games report     the pages, as leaderboards.pages has them
data        results, faults, times and all tables as CSV and JSON
printing    pages as HTML (the one home of Jinja2)
build       all files of a site
"""
