#include "cli/store_url.hpp"

#include <taskstate/store/file_store.hpp>
#include <taskstate/store/memory_store.hpp>
#ifdef TASKSTATE_SQLITE
#include <taskstate/store/sqlite_store.hpp>
#endif
#ifdef TASKSTATE_POSTGRES
#include <taskstate/store/postgres_store.hpp>
#endif

#include <array>
#include <utility>

namespace taskstate::inline v0 {
namespace {

using Opened = Result<std::shared_ptr<Store>>;

Error unusable(std::string_view part, std::string_view advice) {
    Error error = fail(Reason::options_invalid, std::string(part));
    error.message += ' ';
    error.message += advice;
    return error;
}

/// What stands before and behind the first `?`.
struct Place {
    std::string path{};
    std::string_view parameters{};

    explicit Place(std::string_view text)
        : path(text.substr(0, text.find('?'))), parameters(text.substr(std::min(path.size(), text.size()))) {}
};

Opened open_memory(std::string_view rest) {
    if (!rest.empty()) return unusable("/path", "Nothing stands behind `memory:`.");
    return memory_store();
}

Opened open_folder(std::string_view rest) {
    if (rest.empty()) return unusable("/path", "Name a folder: file:FOLDER.");
    return open_files({.path = std::string(rest)});
}

#ifdef TASKSTATE_SQLITE
Opened open_file(std::string_view rest) {
    const Place place(rest);
    if (place.path.empty()) return unusable("/path", "Name a file: sqlite:FILE.");
    SqliteOptions options{.path = place.path};
    if (place.parameters == "?synchronous=normal") {
        options.synchronous = Synchronous::normal;
    } else if (!place.parameters.empty() && place.parameters != "?synchronous=full") {
        return unusable("/parameter", "There are synchronous=full and synchronous=normal.");
    }
    return open_sqlite(options);
}
#else
constexpr Opened (*open_file)(std::string_view) = nullptr;
#endif

#ifdef TASKSTATE_POSTGRES
Opened open_database(std::string_view rest) { return open_postgres({.url = "postgresql:" + std::string(rest)}); }
#else
constexpr Opened (*open_database)(std::string_view) = nullptr;
#endif

/// A kind of URL; without `open` where this build leaves the store out, and `option` builds it.
struct Scheme {
    std::string_view name{}, form{}, option{};
    Opened (*open)(std::string_view rest) = nullptr;
};
constexpr std::array schemes{
    Scheme{"memory:", "memory:", "", open_memory},
    Scheme{"file:", "file:FOLDER", "", open_folder},
    Scheme{"sqlite:", "sqlite:FILE", "TASKSTATE_SQLITE", open_file},
    Scheme{"postgresql:", "postgresql://HOST/DATABASE", "TASKSTATE_POSTGRES", open_database},
    Scheme{"postgres:", "postgres://HOST/DATABASE", "TASKSTATE_POSTGRES", open_database},
};

Error left_out(const Scheme& scheme) {
    Error error = fail(Reason::not_built, "/scheme");
    error.message += " Build it with " + std::string(scheme.option) + "=ON.";
    return error;
}

}  // namespace

std::string store_forms() {
    std::string forms;
    for (const Scheme& scheme : schemes) {
        if (scheme.open == nullptr) continue;
        if (!forms.empty()) forms += ", ";
        forms += scheme.form;
    }
    return forms;
}

Result<std::shared_ptr<Store>> open_store(std::string_view url) {
    for (const Scheme& scheme : schemes) {
        if (!url.starts_with(scheme.name)) continue;
        return scheme.open == nullptr ? Opened(left_out(scheme)) : scheme.open(url.substr(scheme.name.size()));
    }
    return unusable("/scheme", "This build opens " + store_forms() + ".");
}

}  // namespace taskstate::inline v0
