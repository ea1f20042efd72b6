#pragma once
// The names of the values that hosts pass around, for headers that only pass them on.

namespace taskstate::inline v0 {

class Block;
class Snapshot;
class SnapshotFile;
class Store;
class TaskService;
class TaskState;
template <class T>
class Result;

struct ActionOutcome;
struct Commit;
struct ConfirmAction;
struct Error;
struct HostDelta;
struct Limits;
struct Message;
struct NoteInput;
struct Profile;
struct ProposalInput;
struct Revision;
struct SnapshotInput;
struct TaskAddress;
struct TaskOptions;
struct Timestamp;

}  // namespace taskstate::inline v0
