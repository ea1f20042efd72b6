#pragma once
// Stores by URL, as the tests of the command name them.

#include "support/catch.hpp"

#include <taskstate/store/store.hpp>

#include "cli/store_url.hpp"

#include <memory>
#include <string>
#include <vector>

namespace taskstate::test {

/// The URLs of this build for stores in a folder that outlive a process.
inline std::vector<std::string> durable_urls(const std::string& folder) {
    std::vector<std::string> urls;
    if (store_forms().find("file:") != std::string::npos) urls.push_back("file:" + folder + "/tasks");
    if (store_forms().find("sqlite:") != std::string::npos) urls.push_back("sqlite:" + folder + "/tasks.db");
    return urls;
}

inline std::shared_ptr<Store> opened(const std::string& url) {
    auto store = open_store(url);
    if (!store) FAIL(url << ": " << store.error().message);
    return *std::move(store);
}

}  // namespace taskstate::test
