"""Recipe inside the library's own sources: `conan create packaging/conan`."""

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class TaskstateRecipe(ConanFile):
    name = "taskstate"
    description = "Durable, bounded state of an agent's task, outside the conversation"
    license = "MIT"
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "codec": [True, False],
        "sqlite": [True, False],
        "postgres": [True, False],
    }
    default_options = {"shared": False, "fPIC": True, "codec": True, "sqlite": False, "postgres": False}

    def _root(self):
        return os.path.normpath(os.path.join(self.recipe_folder, "..", ".."))

    def set_version(self):
        header = load(self, os.path.join(self._root(), "include", "taskstate", "version.hpp"))
        self.version = ".".join(re.findall(r"#define TASKSTATE_VERSION_[A-Z]+ (\d+)", header))

    def export_sources(self):
        for part in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"):
            copy(self, part, src=self._root(), dst=self.export_sources_folder)

    def requirements(self):
        self.requires("openssl/[>=3 <4]")
        self.requires("utf8proc/[>=2.8 <3]")
        if self.options.codec:
            self.requires("nlohmann_json/[>=3.11 <4]", visible=False)
        if self.options.sqlite:
            self.requires("sqlite3/[>=3.40 <4]")
        if self.options.postgres:
            self.requires("libpq/[>=15 <19]")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        deps = CMakeDeps(self)
        deps.set_property("utf8proc", "cmake_target_name", "utf8proc::utf8proc")
        deps.generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["TASKSTATE_CODEC"] = bool(self.options.codec)
        toolchain.cache_variables["TASKSTATE_SQLITE"] = bool(self.options.sqlite)
        toolchain.cache_variables["TASKSTATE_POSTGRES"] = bool(self.options.postgres)
        for part in ("TESTS", "EXAMPLES", "COMMAND"):
            toolchain.cache_variables[f"TASKSTATE_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "taskstate")
        core = self.cpp_info.components["core"]
        core.libs = ["taskstate_core"]
        core.set_property("cmake_target_name", "taskstate::core")
        core.requires = ["openssl::crypto", "utf8proc::utf8proc"]
        core.system_libs = ["pthread"]
        if self.options.codec:
            codec = self.cpp_info.components["taskstate"]
            codec.libs = ["taskstate"]
            codec.set_property("cmake_target_name", "taskstate::taskstate")
            codec.requires = ["core", "nlohmann_json::nlohmann_json"]
        if self.options.sqlite:
            sqlite = self.cpp_info.components["sqlite"]
            sqlite.libs = ["taskstate_sqlite"]
            sqlite.set_property("cmake_target_name", "taskstate::sqlite")
            sqlite.requires = ["taskstate", "sqlite3::sqlite3"]
        if self.options.postgres:
            postgres = self.cpp_info.components["postgres"]
            postgres.libs = ["taskstate_postgres"]
            postgres.set_property("cmake_target_name", "taskstate::postgres")
            postgres.requires = ["taskstate", "libpq::pq"]
