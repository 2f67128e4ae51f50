"""audit: what others published, checked: two lists against each other, or a list against our recomputation.

`lists` checks a pair of consecutive lists by what holds for every list; `possible_k` says which K can stand on a list;
`published` compares a run with the published list and tries the explanations of `trials`.
"""
