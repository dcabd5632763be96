# Writes INPUT as the C array SYMBOL to OUTPUT; run with cmake -P. The text ends with a 0.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(................................................................................)"
       "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "extern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = {\n${bytes}0};\n")
