-- equals
{text} = any({values}::text[])
