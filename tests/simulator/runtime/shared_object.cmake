# Writes the source of a simulated shared object; run with cmake -P. Each function is an indirect one,
# whose resolver asks rt_offer() when it is looked up: so the options can take it away.
#
#   LIST     exports.txt
#   LIBRARY  whose lines of it are meant
#   VERSION  that the shared object is
#   OUTPUT   the source; with LIBRARY empty, the table of the driver's functions (cuda_entry_point.h)
file(STRINGS ${LIST} lines REGEX "^[a-z]")

set(which ${LIBRARY})
if(NOT LIBRARY)
  set(which cuda)
endif()
set(functions "")
set(table "")
foreach(line IN LISTS lines)
  separate_arguments(line)
  list(GET line 0 library)
  list(GET line 1 name)
  list(GET line 2 since)
  set(until 2000000000)
  list(LENGTH line length)
  if(length GREATER 3)
    list(GET line 3 until)
  endif()
  if(NOT library STREQUAL which)
    continue()
  endif()
  string(REGEX REPLACE "_v[0-9]+$" "" base ${name})
  string(APPEND table "    {\"${base}\", \"${name}\", ${since}, rt_${name}},\n")
  if(LIBRARY AND (VERSION LESS since OR NOT VERSION LESS until))
    continue()
  endif()
  string(APPEND declarations "void rt_${name}(void);\n")
  string(APPEND functions "
__attribute__((used)) static rt_any_function pick_${name}(void)
{
    return rt_offer(${NUMBER}, ${VERSION}, \"${name}\", ${since}, rt_${name});
}
void ${name}(void) __attribute__((ifunc(\"pick_${name}\"), visibility(\"default\")));
")
endforeach()

if(LIBRARY)
  file(WRITE ${OUTPUT} "#include \"version.h\"\n\n${declarations}${functions}")
else()
  string(REGEX REPLACE "[^\n]*(rt_[A-Za-z0-9_]+)},\n" "void \\1(void);\n" declarations "${table}")
  file(WRITE ${OUTPUT} "#include \"cuda_entry_point.h\"\n\n${declarations}
const cuda_entry cuda_entries[] = {\n${table}};
const unsigned cuda_entry_count = sizeof cuda_entries / sizeof cuda_entries[0];\n")
endif()
