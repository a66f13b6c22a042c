.PHONY: run test lint bench shots
run test lint bench shots:
	@python3 manage.py $@
