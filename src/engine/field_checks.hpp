#pragma once
// What admission asks of single fields.

#include <taskstate/base/text.hpp>
#include <taskstate/model/input.hpp>

#include "position.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taskstate::inline v0 {

inline constexpr std::size_t source_label_max = 512, reason_max = 2'000;

/// Checks field after field and keeps the first failure, so that a shape reads as the list of its fields.
class FieldChecks {
 public:
    explicit FieldChecks(TextPolicy policy) : policy_(policy) {}
    void replaced_before(std::size_t count) { replaced_ += count; }

    /// Runs `check` below `prefix`.
    template <class Check>
    void inside(std::string_view prefix, const Check& check) {
        if (error_) return;
        check();
        if (error_) error_ = under(prefix, *std::move(error_));
    }
    void check(std::string_view path, Result<void> result) {
        if (!error_ && !result) error_ = under(path, std::move(result).error());
    }
    void require(bool holds, std::string_view path, Reason reason) {
        if (!error_ && !holds) error_ = fail(reason, std::string(path));
    }
    void bound(std::string_view path, std::uint64_t actual, std::uint64_t limit) {
        if (!error_ && actual > limit) error_ = fail(Reason::out_of_range, std::string(path), {limit, actual});
    }

    void id(std::string_view path, const std::string& text) { check(path, check_id(text)); }
    void id(std::string_view path, const OptText& text) {
        if (text) id(path, *text);
    }
    void ref(std::string_view path, const std::string& text) { check(path, check_ref(text)); }
    void ref(std::string_view path, const OptText& text) {
        if (text) ref(path, *text);
    }
    void text(std::string_view path, std::string& stored, std::size_t max) {
        keep(path, stored, admit_text(stored, max, policy_));
    }
    void text(std::string_view path, OptText& stored, std::size_t max) {
        if (stored) text(path, *stored, max);
    }
    void title(std::string_view path, std::string& stored, std::size_t max) {
        keep(path, stored, admit_title(stored, max, policy_));
    }
    /// A word of a closed list: a typed caller may hand in any number.
    template <class E>
    void word(std::string_view path, E value) {
        require(!v0::word(value).empty(), path, Reason::unknown_word);
    }
    template <class E>
    void word(std::string_view path, const std::optional<E>& value) {
        if (value) word(path, *value);
    }
    void time(std::string_view path, const std::optional<Timestamp>& time) {
        require(!time || (time->ms >= 0 && *time <= timestamp_max), path, Reason::bad_time);
    }
    /// Ids without repetition.
    void ids(std::string_view path, const std::vector<std::string>& list) {
        inside(path, [&] {
            for (std::size_t i = 0; i < list.size(); ++i) id("/" + std::to_string(i), list[i]);
            unique("", list);
        });
    }
    void unique(std::string_view path, const std::vector<std::string>& list) {
        if (error_ || list.size() < 2) return;
        std::vector<std::pair<std::string_view, std::size_t>> sorted;
        sorted.reserve(list.size());
        for (std::size_t i = 0; i < list.size(); ++i) sorted.emplace_back(list[i], i);
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            if (sorted[i].first != sorted[i - 1].first) continue;
            error_ = fail(Reason::duplicate_reference, std::string(path) + "/" + std::to_string(sorted[i].second));
            return;
        }
    }

    void scope(const Scope& scope) {
        ref("/owner", scope.owner);
        ref("/workspace", scope.workspace);
        if (!scope.tenant.empty()) ref("/tenant", scope.tenant);
        if (!scope.agent.empty()) ref("/agent", scope.agent);
    }
    void actor(const Actor& actor) {
        word("/actor/role", actor.role);
        ref("/actor/name", actor.name);
    }
    /// Whatever is wrong with a reference to evidence has the reason of the evidence validator.
    void evidence(std::string_view path, const EvidenceInput& evidence) {
        if (error_) return;
        inside(path, [&] {
            word("/kind", evidence.kind);
            ref("/id", evidence.id);
            word("/status", evidence.status);
            require(!evidence.digest || is_digest(*evidence.digest), "/digest", Reason::evidence_invalid);
            require(!evidence.size_bytes || *evidence.size_bytes <= integer_max, "/size_bytes",
                    Reason::evidence_invalid);
            if (evidence.scope) inside("/scope", [&] { scope(*evidence.scope); });
        });
        if (error_) error_ = fail(Reason::evidence_invalid, std::move(error_->path));
    }
    void evidence(std::string_view path, const std::optional<EvidenceInput>& given) {
        if (given) evidence(path, *given);
    }
    void source(SourceInput& source) {
        inside("/source", [&] {
            text("/label", source.label, source_label_max);
            ref("/turn", source.turn);
            evidence("/evidence", source.evidence);
        });
    }

    [[nodiscard]] std::size_t replaced() const noexcept { return replaced_; }
    [[nodiscard]] std::optional<Error>& error() noexcept { return error_; }

 private:
    void keep(std::string_view path, std::string& stored, Result<AdmittedText> admitted) {
        if (error_) return;
        if (!admitted) {
            error_ = under(path, std::move(admitted).error());
            return;
        }
        stored = std::move(admitted->text);
        replaced_ += admitted->replaced;
    }

    TextPolicy policy_;
    std::optional<Error> error_{};
    std::size_t replaced_ = 0;
};

}  // namespace taskstate::inline v0
