#pragma once
// The first version of a store's schema.  It is released: nothing here changes any more, what is new is a migration.

namespace taskstate::inline v0 {

/// Rows hold their record as text; the columns before it are what is looked for.  Texts are compared byte by byte.
inline constexpr const char* postgres_tables = R"sql(
CREATE TABLE scopes(
    scope bytea PRIMARY KEY,
    tenant text COLLATE "C" NOT NULL, owner text COLLATE "C" NOT NULL,
    agent text COLLATE "C" NOT NULL, workspace text COLLATE "C" NOT NULL,
    mode text NOT NULL);

CREATE TABLE tasks(
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    scope bytea NOT NULL REFERENCES scopes,
    id text COLLATE "C" NOT NULL,
    lifecycle text NOT NULL,
    revision bigint NOT NULL CHECK(revision >= 1),
    created_at timestamptz NOT NULL,
    last_progress_at timestamptz NOT NULL,
    due_at timestamptz,
    start_key text COLLATE "C" NOT NULL,
    head text NOT NULL) WITH (fillfactor = 80);
CREATE UNIQUE INDEX tasks_by_id ON tasks(scope, id);
CREATE UNIQUE INDEX tasks_by_start ON tasks(scope, start_key);
CREATE INDEX tasks_by_age ON tasks(scope, created_at, id);
CREATE INDEX tasks_by_lifecycle ON tasks(scope, lifecycle, created_at, id);
CREATE INDEX tasks_by_due ON tasks(due_at) WHERE due_at IS NOT NULL;

CREATE TABLE entries(
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    task bigint NOT NULL REFERENCES tasks,
    kind text NOT NULL,
    id text COLLATE "C" NOT NULL,
    entry text NOT NULL) WITH (fillfactor = 80);
CREATE UNIQUE INDEX entries_by_id ON entries(task, kind, id);

CREATE TABLE revisions(
    task bigint NOT NULL REFERENCES tasks,
    revision bigint NOT NULL CHECK(revision >= 1),
    record text NOT NULL,
    PRIMARY KEY(task, revision));

CREATE TABLE lineage(
    task bigint NOT NULL REFERENCES tasks,
    kind text NOT NULL,
    id text COLLATE "C" NOT NULL,
    revision bigint NOT NULL);
CREATE INDEX lineage_by_target ON lineage(task, kind, id, revision);

CREATE TABLE decisions(
    task bigint NOT NULL REFERENCES tasks,
    sequence bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    key text COLLATE "C",
    fingerprint text COLLATE "C",
    decided_at timestamptz NOT NULL,
    shadow boolean NOT NULL,
    outcome text NOT NULL,
    reason text NOT NULL,
    guards text[] NOT NULL,
    duration_ms bigint NOT NULL,
    record text NOT NULL,
    PRIMARY KEY(task, sequence));
CREATE UNIQUE INDEX decisions_by_key ON decisions(task, key) WHERE key IS NOT NULL;
CREATE UNIQUE INDEX decisions_by_id ON decisions(task, id);
CREATE INDEX decisions_by_action ON decisions(task, fingerprint, decided_at)
    WHERE fingerprint IS NOT NULL AND NOT shadow;

CREATE TABLE deliveries(
    task bigint NOT NULL REFERENCES tasks,
    sequence bigint NOT NULL,
    scope bytea NOT NULL REFERENCES scopes,
    id text COLLATE "C" NOT NULL,
    withheld text,
    exposed_at timestamptz,
    record text NOT NULL,
    PRIMARY KEY(task, sequence));
CREATE UNIQUE INDEX deliveries_by_id ON deliveries(scope, id);

CREATE TABLE bindings(
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    scope bytea NOT NULL REFERENCES scopes,
    id text COLLATE "C" NOT NULL,
    identity bytea NOT NULL,
    host text COLLATE "C" NOT NULL, session text COLLATE "C" NOT NULL,
    task bigint NOT NULL REFERENCES tasks,
    expires_at timestamptz,
    revoked_at timestamptz, revoked_by text, revoked_because text,
    record text NOT NULL);
CREATE UNIQUE INDEX bindings_by_id ON bindings(scope, id);
CREATE UNIQUE INDEX bindings_by_identity ON bindings(scope, identity) WHERE revoked_at IS NULL;
CREATE INDEX bindings_by_session ON bindings(scope, host, session);
CREATE INDEX bindings_by_task ON bindings(task);

CREATE TABLE profiles(
    id text COLLATE "C" PRIMARY KEY,
    rules text NOT NULL,
    profile text NOT NULL);

ALTER TABLE tasks ALTER head SET STORAGE EXTERNAL;
ALTER TABLE entries ALTER entry SET STORAGE EXTERNAL;
ALTER TABLE revisions ALTER record SET STORAGE EXTERNAL;
ALTER TABLE decisions ALTER record SET STORAGE EXTERNAL;

CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what is on record stays';
END $$;
CREATE TRIGGER revisions_stay BEFORE UPDATE ON revisions FOR EACH ROW EXECUTE FUNCTION stay();
CREATE TRIGGER lineage_stays BEFORE UPDATE ON lineage FOR EACH ROW EXECUTE FUNCTION stay();
CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions FOR EACH ROW EXECUTE FUNCTION stay();
CREATE TRIGGER profiles_stay BEFORE UPDATE ON profiles FOR EACH ROW EXECUTE FUNCTION stay();
CREATE TRIGGER deliveries_are_exposed_once BEFORE UPDATE ON deliveries FOR EACH ROW
    WHEN (OLD.exposed_at IS NOT NULL OR NEW.exposed_at IS NULL OR OLD.withheld IS NOT NULL OR
        (NEW.task, NEW.sequence, NEW.scope, NEW.id, NEW.withheld, NEW.record) IS DISTINCT FROM
        (OLD.task, OLD.sequence, OLD.scope, OLD.id, OLD.withheld, OLD.record))
    EXECUTE FUNCTION stay();
CREATE TRIGGER bindings_are_revoked_once BEFORE UPDATE ON bindings FOR EACH ROW
    WHEN (OLD.revoked_at IS NOT NULL OR NEW.revoked_at IS NULL OR
        (NEW.place, NEW.scope, NEW.id, NEW.identity, NEW.host, NEW.session, NEW.task, NEW.expires_at, NEW.record)
        IS DISTINCT FROM
        (OLD.place, OLD.scope, OLD.id, OLD.identity, OLD.host, OLD.session, OLD.task, OLD.expires_at, OLD.record))
    EXECUTE FUNCTION stay();
)sql";

/// The functions of which each write is a call, or some.  What is taken is refused by its index; what else is wrong, by `refuse`.
/// Who writes to a task has locked its row first, so that what follows sees everything of those before.
inline constexpr const char* postgres_functions = R"sql(
CREATE FUNCTION refuse(_reason text, _detail text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'TSK01', MESSAGE = _reason, DETAIL = _detail;
END $$;

CREATE FUNCTION locked_task(_scope bytea, _task text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    _place bigint;
BEGIN
    SELECT place INTO _place FROM tasks WHERE scope = _scope AND id = _task FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM refuse('task_not_eligible');
    END IF;
    RETURN _place;
END $$;

CREATE FUNCTION put_revision(_task bigint, _revision bigint, _record text, _target_kinds text[], _target_ids text[])
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO revisions(task, revision, record) VALUES(_task, _revision, _record);
    IF cardinality(_target_ids) > 0 THEN
        INSERT INTO lineage(task, kind, id, revision)
            SELECT _task, kind, id, _revision FROM unnest(_target_kinds, _target_ids) AS target(kind, id);
    END IF;
END $$;

CREATE FUNCTION put_entries(_task bigint, _kinds text[], _ids text[], _entries text[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    -- Erased first: a newcomer of the same id has another place.  A row keeps its place while its entry changes.
    IF array_position(_entries, NULL) IS NOT NULL THEN
        DELETE FROM entries USING unnest(_kinds, _ids, _entries) AS gone(kind, id, entry)
            WHERE entries.task = _task AND entries.kind = gone.kind AND entries.id = gone.id AND gone.entry IS NULL;
    END IF;
    IF cardinality(_entries) > 0 THEN
        INSERT INTO entries(task, kind, id, entry)
            SELECT _task, kind, id, entry
                FROM unnest(_kinds, _ids, _entries) WITH ORDINALITY AS put(kind, id, entry, n)
                WHERE entry IS NOT NULL ORDER BY n
            ON CONFLICT(task, kind, id) DO UPDATE SET entry = excluded.entry;
    END IF;
END $$;

CREATE FUNCTION known_scope(_scope bytea, _tenant text, _owner text, _agent text, _workspace text) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO scopes(scope, tenant, owner, agent, workspace, mode)
        VALUES(_scope, _tenant, _owner, _agent, _workspace, 'disabled') ON CONFLICT DO NOTHING;
$$;

CREATE FUNCTION start_task(_scope bytea, _tenant text, _owner text, _agent text, _workspace text, _task text,
    _start_key text, _created_at timestamptz, _lifecycle text, _revision bigint, _last_progress_at timestamptz,
    _due_at timestamptz, _head text, _record text, _target_kinds text[], _target_ids text[], _kinds text[],
    _ids text[], _entries text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    _place bigint;
BEGIN
    PERFORM known_scope(_scope, _tenant, _owner, _agent, _workspace);
    INSERT INTO tasks(scope, id, lifecycle, revision, created_at, last_progress_at, due_at, start_key, head)
        VALUES(_scope, _task, _lifecycle, _revision, _created_at, _last_progress_at, _due_at, _start_key, _head)
        RETURNING place INTO _place;
    PERFORM put_revision(_place, _revision, _record, _target_kinds, _target_ids);
    PERFORM put_entries(_place, _kinds, _ids, _entries);
END $$;

CREATE FUNCTION advance_task(_scope bytea, _task text, _lifecycle text, _revision bigint,
    _last_progress_at timestamptz, _due_at timestamptz, _head text, _record text, _target_kinds text[],
    _target_ids text[], _kinds text[], _ids text[], _entries text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    _place bigint;
    _stored bigint;
BEGIN
    UPDATE tasks SET lifecycle = _lifecycle, revision = _revision, last_progress_at = _last_progress_at,
            due_at = _due_at, head = _head
        WHERE scope = _scope AND id = _task AND revision = _revision - 1 RETURNING place INTO _place;
    IF NOT FOUND THEN
        SELECT revision INTO _stored FROM tasks WHERE place = locked_task(_scope, _task);
        PERFORM refuse('concurrent_successor_committed', _stored || ' ' || _revision - 1);
    END IF;
    PERFORM put_revision(_place, _revision, _record, _target_kinds, _target_ids);
    PERFORM put_entries(_place, _kinds, _ids, _entries);
END $$;

CREATE FUNCTION trim_log(_scope bytea, _task text, _first bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    _place bigint := locked_task(_scope, _task);
BEGIN
    IF NOT EXISTS(SELECT FROM revisions WHERE task = _place AND revision = _first) THEN
        PERFORM refuse('revision_gap', _first || ' ' || (SELECT revision FROM tasks WHERE place = _place));
    END IF;
    DELETE FROM lineage WHERE task = _place AND revision <= _first;
    DELETE FROM revisions WHERE task = _place AND revision <= _first;
END $$;

CREATE FUNCTION keep_base(_scope bytea, _task text, _revision bigint, _record text, _target_kinds text[],
    _target_ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM put_revision(locked_task(_scope, _task), _revision, _record, _target_kinds, _target_ids);
END $$;

CREATE FUNCTION add_decision(_scope bytea, _task text, _id text, _key text, _fingerprint text,
    _decided_at timestamptz, _shadow boolean, _outcome text, _reason text, _guards text[], _duration_ms bigint,
    _record text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    _place bigint := locked_task(_scope, _task);
BEGIN
    INSERT INTO decisions(task, sequence, id, key, fingerprint, decided_at, shadow, outcome, reason, guards,
            duration_ms, record)
        SELECT _place, coalesce(max(sequence), 0) + 1, _id, _key, _fingerprint, _decided_at, _shadow, _outcome,
            _reason, _guards, _duration_ms, _record FROM decisions WHERE task = _place;
END $$;

CREATE FUNCTION add_delivery(_scope bytea, _task text, _id text, _withheld text, _exposed_at timestamptz,
    _record text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    _place bigint := locked_task(_scope, _task);
BEGIN
    INSERT INTO deliveries(task, sequence, scope, id, withheld, exposed_at, record)
        SELECT _place, coalesce(max(sequence), 0) + 1, _scope, _id, _withheld, _exposed_at, _record
            FROM deliveries WHERE task = _place;
END $$;

CREATE FUNCTION add_binding(_scope bytea, _task text, _id text, _identity bytea, _host text, _session text,
    _actor text, _registered_at timestamptz, _expires_at timestamptz, _revoked_at timestamptz, _revoked_by text,
    _revoked_because text, _lapsed text, _record text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    _place bigint := locked_task(_scope, _task);
BEGIN
    UPDATE bindings SET revoked_at = _registered_at, revoked_by = _actor, revoked_because = _lapsed
        WHERE scope = _scope AND identity = _identity AND revoked_at IS NULL AND expires_at <= _registered_at;
    INSERT INTO bindings(scope, id, identity, host, session, task, expires_at, revoked_at, revoked_by,
            revoked_because, record)
        VALUES(_scope, _id, _identity, _host, _session, _place, _expires_at, _revoked_at, _revoked_by,
            _revoked_because, _record);
END $$;

CREATE FUNCTION revoke_binding(_scope bytea, _id text, _at timestamptz, _by text, _because text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE bindings SET revoked_at = _at, revoked_by = _by, revoked_because = _because
        WHERE scope = _scope AND id = _id AND revoked_at IS NULL;
    IF NOT FOUND THEN
        PERFORM refuse('binding_not_found');
    END IF;
END $$;

CREATE FUNCTION set_scope_mode(_scope bytea, _tenant text, _owner text, _agent text, _workspace text, _mode text)
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM known_scope(_scope, _tenant, _owner, _agent, _workspace);
    UPDATE scopes SET mode = _mode WHERE scope = _scope;
END $$;

CREATE FUNCTION add_profile(_id text, _rules text, _profile text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO profiles(id, rules, profile) VALUES(_id, _rules, _profile) ON CONFLICT DO NOTHING;
    IF NOT FOUND AND _rules <> (SELECT rules FROM profiles WHERE id = _id) THEN
        PERFORM refuse('profile_version_differs');
    END IF;
END $$;

CREATE FUNCTION forget_task(_scope bytea, _task text) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
    _place bigint;
    _count bigint;
    _counts bigint[];
    _table text;
BEGIN
    SELECT place INTO _place FROM tasks WHERE scope = _scope AND id = _task FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    FOREACH _table IN ARRAY ARRAY['deliveries', 'decisions', 'lineage', 'bindings', 'revisions', 'entries'] LOOP
        EXECUTE format('DELETE FROM %I WHERE task = $1', _table) USING _place;
        GET DIAGNOSTICS _count = ROW_COUNT;
        _counts := _counts || _count;
    END LOOP;
    DELETE FROM tasks WHERE place = _place;
    RETURN _counts || 1::bigint;
END $$;
)sql";

}  // namespace taskstate::inline v0
