# taskstate_test(<room> SOURCES <file>... [LINKS <library>...] [PROGRAMS <target>...])
#
# Makes the program test_<room>, which holds all tests of one room, and its entry in CTest.
# PROGRAMS are run by these tests, so they are built first and their folder is told.
function(taskstate_test room)
    cmake_parse_arguments(PARSE_ARGV 1 part "" "" "SOURCES;LINKS;PROGRAMS")
    taskstate_program(
        test_${room}
        NAME test_${room}
        SOURCES ${part_SOURCES}
        LINKS taskstate_test_support ${part_LINKS}
    )
    if(part_PROGRAMS)
        add_dependencies(test_${room} ${part_PROGRAMS})
        target_compile_definitions(test_${room} PRIVATE TASKSTATE_PROGRAM_DIR="${PROJECT_BINARY_DIR}/bin")
    endif()
    add_test(NAME ${room} COMMAND test_${room})
endfunction()
