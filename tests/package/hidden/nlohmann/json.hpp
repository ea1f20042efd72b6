#error "the library asks its host for nlohmann_json"
