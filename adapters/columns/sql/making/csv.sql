-- csv
-- All types are given, and nothing is guessed: a null is an empty field, a quoted empty field is an empty text.
read_csv(
    $path, columns = $columns, header = true, auto_detect = false, delim = ',', quote = '"', escape = '"', new_line = '\n',
    nullstr = '', allow_quoted_nulls = false, strict_mode = true, max_line_size = {longest}, buffer_size = {buffer}
)
