-- leave
alter schema {schema} rename to {left}
