#pragma once
// A checker for the part of JSON Schema 2020-12 that docs/schema uses.

#include <taskstate/base/text.hpp>

#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>

namespace taskstate::test {

/// The schemas of one folder, which refer to each other by file name.
class Schemas {
 public:
    explicit Schemas(std::string folder) : folder_(std::move(folder)) {}

    /// Where and why `document` breaks the schema; nothing if it keeps to it.
    std::optional<std::string> violation(const std::string& schema, const nlohmann::json& document) {
        return check({schema, &file(schema)}, document, "");
    }

 private:
    using Json = nlohmann::json;
    using Violation = std::optional<std::string>;
    struct Rule {
        std::string file{};
        const Json* json = nullptr;
    };

    const Json& file(const std::string& name) {
        auto [found, missing] = files_.try_emplace(name);
        if (missing) found->second = Json::parse(std::ifstream(folder_ + "/" + name));
        return found->second;
    }

    Rule resolve(const Rule& from, const std::string& reference) {
        const auto hash = reference.find('#');
        const std::string name = hash == 0 ? from.file : reference.substr(0, hash);
        const Json& whole = file(name);
        if (hash == std::string::npos) return {name, &whole};
        return {name, &whole.at(Json::json_pointer(reference.substr(hash + 1)))};
    }

    // A keyword that is not known here would be a rule that nobody checks.
    static void check_keywords(const Json& rule) {
        static const std::set<std::string> known{"$schema",    "$defs",       "$ref",
                                                 "title",      "description", "type",
                                                 "properties", "required",    "additionalProperties",
                                                 "enum",       "const",       "pattern",
                                                 "items",      "maxItems",    "oneOf",
                                                 "minimum",    "maximum",     "minLength",
                                                 "maxLength",  "minItems",    "uniqueItems"};
        for (const auto& keyword : rule.items()) {
            if (!known.contains(keyword.key())) throw std::logic_error("unknown keyword " + keyword.key());
        }
    }

    static bool has_type(const Json& value, const std::string& type) {
        if (type == "object") return value.is_object();
        if (type == "array") return value.is_array();
        if (type == "string") return value.is_string();
        if (type == "boolean") return value.is_boolean();
        if (type == "integer")
            return value.is_number_integer() || (value.is_number_float() && value == value.get<long long>());
        throw std::logic_error("unknown type " + type);
    }

    Violation check(const Rule& rule, const Json& value, const std::string& path) {
        const Json& json = *rule.json;
        check_keywords(json);
        if (json.contains("type") && !has_type(value, json["type"])) return path + ": type";
        if (json.contains("const") && value != json["const"]) return path + ": const";
        if (json.contains("enum") && std::find(json["enum"].begin(), json["enum"].end(), value) == json["enum"].end()) {
            return path + ": enum";
        }
        if (json.contains("$ref")) {
            if (auto broken = check(resolve(rule, json["$ref"]), value, path)) return broken;
        }
        if (json.contains("oneOf")) {
            int fitting = 0;
            for (const Json& choice : json["oneOf"]) fitting += check({rule.file, &choice}, value, path) ? 0 : 1;
            if (fitting != 1) return path + ": oneOf";
        }
        if (value.is_string()) return check_string(json, value, path);
        if (value.is_number()) return check_number(json, value, path);
        if (value.is_array()) return check_array(rule, value, path);
        if (value.is_object()) return check_object(rule, value, path);
        return std::nullopt;
    }

    const std::regex& pattern(const std::string& spelling) {
        auto [found, missing] = patterns_.try_emplace(spelling);
        if (missing) found->second = std::regex(spelling);
        return found->second;
    }

    Violation check_string(const Json& rule, const Json& value, const std::string& path) {
        const auto& text = value.get_ref<const std::string&>();
        const std::size_t length = count_code_points(text);
        if (rule.contains("minLength") && length < rule["minLength"]) return path + ": minLength";
        if (rule.contains("maxLength") && length > rule["maxLength"]) return path + ": maxLength";
        if (rule.contains("pattern") && !std::regex_search(text, pattern(rule["pattern"]))) {
            return path + ": pattern";
        }
        return std::nullopt;
    }

    static Violation check_number(const Json& rule, const Json& value, const std::string& path) {
        if (rule.contains("minimum") && value < rule["minimum"]) return path + ": minimum";
        if (rule.contains("maximum") && value > rule["maximum"]) return path + ": maximum";
        return std::nullopt;
    }

    Violation check_array(const Rule& rule, const Json& value, const std::string& path) {
        const Json& json = *rule.json;
        if (json.contains("maxItems") && value.size() > json["maxItems"]) return path + ": maxItems";
        if (json.contains("minItems") && value.size() < json["minItems"]) return path + ": minItems";
        if (json.contains("uniqueItems") && std::set<Json>(value.begin(), value.end()).size() != value.size()) {
            return path + ": uniqueItems";
        }
        for (std::size_t i = 0; json.contains("items") && i < value.size(); ++i) {
            if (auto broken = check({rule.file, &json["items"]}, value[i], path + "/" + std::to_string(i)))
                return broken;
        }
        return std::nullopt;
    }

    Violation check_object(const Rule& rule, const Json& value, const std::string& path) {
        const Json& json = *rule.json;
        const Json none = Json::object();
        const Json& properties = json.contains("properties") ? json["properties"] : none;
        for (const auto& member : value.items()) {
            const std::string inside = path + "/" + member.key();
            if (properties.contains(member.key())) {
                if (auto broken = check({rule.file, &properties[member.key()]}, member.value(), inside)) return broken;
            } else if (json.contains("additionalProperties") && json["additionalProperties"] == false) {
                return inside + ": additionalProperties";
            }
        }
        if (json.contains("required")) {
            for (const auto& name : json["required"]) {
                if (!value.contains(name)) return path + "/" + name.get<std::string>() + ": required";
            }
        }
        return std::nullopt;
    }

    std::string folder_;
    std::map<std::string, Json> files_;
    std::map<std::string, std::regex> patterns_;
};

}  // namespace taskstate::test
