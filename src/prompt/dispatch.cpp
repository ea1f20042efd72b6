#include "fence.hpp"

#include <algorithm>

namespace taskstate::inline v0 {
namespace {

/// What a request holds of the block, part by part.
class Placement {
 public:
    Placement(const Block& block, const DispatchRules& rules)
        : text_(block.text()), fences_(fences_of(block)), rules_(rules) {}

    void read(std::string_view role, std::string_view part, const std::string& path) {
        std::size_t from = 0;
        for (std::size_t at = part.find(text_); at != std::string_view::npos; at = part.find(text_, from)) {
            look_for_others(part.substr(from, at - from), role, path);
            note_exact(role, path);
            from = at + text_.size();
        }
        look_for_others(part.substr(from), role, path);
    }

    [[nodiscard]] Result<void> verdict() const {
        if (exact_ == 0) return fail(altered_at_.empty() ? Reason::block_missing : Reason::block_altered, altered_at_);
        if (exact_ > 1) return fail(Reason::block_duplicated, second_at_, {1, exact_});
        if (!wrong_role_at_.empty()) return fail(Reason::block_wrong_role, wrong_role_at_);
        if (!other_at_.empty() && !rules_.old_blocks_allowed) return fail(Reason::old_block_present, other_at_);
        return {};
    }

 private:
    [[nodiscard]] bool allowed(std::string_view role) const {
        return role == "system" || role == "developer" || (role == "user" && rules_.user_role_allowed);
    }
    void note_exact(std::string_view role, const std::string& path) {
        if (++exact_ == 2) second_at_ = path;
        if (!allowed(role)) wrong_role_at_ = path;
    }
    void look_for_others(std::string_view rest, std::string_view role, const std::string& path) {
        const auto opens = [rest](const Fence& fence) { return find_open(rest, fence, 0) != std::string_view::npos; };
        if (std::none_of(fences_.begin(), fences_.end(), opens)) return;
        if (other_at_.empty()) other_at_ = path;
        if (allowed(role) && altered_at_.empty()) altered_at_ = path;
    }

    std::string_view text_;
    std::vector<Fence> fences_;
    const DispatchRules& rules_;
    std::size_t exact_ = 0;
    std::string second_at_{}, wrong_role_at_{}, other_at_{}, altered_at_{};
};

}  // namespace

Result<void> verify_placement(const Block& block, std::span<const Message> messages, const DispatchRules& rules) {
    if (block.bytes() == 0) return {};
    Placement placement(block, rules);
    for (std::size_t i = 0; i < messages.size(); ++i) {
        for (std::size_t j = 0; j < messages[i].parts.size(); ++j) {
            placement.read(messages[i].role, messages[i].parts[j],
                           "/" + std::to_string(i) + "/parts/" + std::to_string(j));
        }
    }
    return placement.verdict();
}

}  // namespace taskstate::inline v0
