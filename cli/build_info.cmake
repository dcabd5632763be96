# Writes OUTPUT, which names the commit of SOURCE; run with cmake -P at each build. The file is touched
# only when its text changes.
execute_process(COMMAND git -C ${SOURCE} rev-parse HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
set(dirty 0)
if(failed)
  set(commit "unknown")
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    set(dirty 1)
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#include \"build_info.h\"\n
const char cli_build_commit[] = \"${commit}\";\nconst int cli_build_dirty = ${dirty};\n")
