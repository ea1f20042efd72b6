#include <taskstate/store/file_system.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "store/temporary_folder.hpp"
#include "support/catch.hpp"

using namespace taskstate;
using test::TemporaryFolder;

TEST_CASE("file system: a failure is errno below zero", "[store]") {
    const TemporaryFolder folder;
    const auto files = posix_file_system();
    std::vector<std::string> names;
    char byte = 0;

    CHECK(files->open(folder / "missing", O_RDONLY, 0) == -ENOENT);
    CHECK(files->read(-1, &byte, 1, 0) == -EBADF);
    CHECK(files->write(-1, &byte, 1) == -EBADF);
    CHECK(files->sync(-1) == -EBADF);
    CHECK(files->close(-1) == -EBADF);
    CHECK(files->lock(-1) == -EBADF);
    CHECK(files->size(-1) == -EBADF);
    CHECK(files->change_mode(-1, 0600) == -EBADF);
    CHECK(files->rename(folder / "missing", folder / "other") == -ENOENT);
    CHECK(files->link(folder / "missing", folder / "other") == -ENOENT);
    CHECK(files->unlink(folder / "missing") == -ENOENT);
    CHECK(files->make_directory(folder.path(), 0700) == -EEXIST);
    CHECK(files->list(folder / "missing", names) == -ENOENT);
    CHECK(names.empty());
}

TEST_CASE("file system: a folder has exactly the mode asked for", "[store]") {
    const TemporaryFolder folder;
    const auto before = ::umask(0777);
    const int made = posix_file_system()->make_directory(folder / "made", 0700);
    ::umask(before);

    CHECK(made == 0);
    CHECK(test::mode_of(folder / "made") == 0700);
}

TEST_CASE("file system: the size of a file is told, and that a folder is none", "[store]") {
    const TemporaryFolder folder;
    test::put_bytes(folder / "five", "12345");
    const auto files = posix_file_system();
    const int file = files->open(folder / "five", O_RDONLY, 0);
    const int directory = files->open(folder.path(), O_RDONLY, 0);

    CHECK(files->size(file) == 5);
    CHECK(files->size(directory) == -EISDIR);
    CHECK(files->close(file) == 0);
    CHECK(files->close(directory) == 0);
}

TEST_CASE("file system: a list holds every name", "[store]") {
    const TemporaryFolder folder;
    for (int n = 0; n < 300; ++n) test::put_bytes(folder / std::to_string(n), "");
    std::vector<std::string> names;

    CHECK(posix_file_system()->list(folder.path(), names) == 0);
    for (int n = 0; n < 300; ++n) CHECK(std::ranges::count(names, std::to_string(n)) == 1);
}
