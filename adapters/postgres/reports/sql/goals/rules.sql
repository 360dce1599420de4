-- rules
%(rules)s
