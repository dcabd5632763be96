# Writes the files INPUT, joined, as the C array SYMBOL to OUTPUT; run with cmake -P. The text ends
# with a 0.
set(hex "")
foreach(file IN LISTS INPUT)
  file(READ ${file} part HEX)
  string(APPEND hex ${part})
endforeach()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(................................................................................)"
       "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "extern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = {\n${bytes}0};\n")
