import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tables } from '../../src/app.module';
import { CheckDatabaseService } from '../../src/features/operations/integrity/check-database.service';
import { loadConfig } from '../../src/platform/config/load-config';
import { databaseOptions } from '../../src/platform/database/database.options';
import { Database } from '../../src/platform/database/database.service';
import { ForgottenTopics1700000000016 } from '../../src/platform/database/migrations/0010-to-0017-bridge-and-sessions.migration';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { createChannel } from '../support/channel-setup';
import { fetchIds, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { upload } from '../support/upload-setup';

/** Each breaks one invariant, with statements that only a broken program or a curious operator would give. */
const BREAKS: Readonly<Record<string, string>> = {
  'foreign-keys': 'INSERT INTO muted_user (user_id, muted_user_id, muted_at) VALUES (99999, 1, 0)',
  'last-owner': `UPDATE account SET role = 200 WHERE role = 100`,
  roles: `UPDATE account SET role = 123 WHERE email_key LIKE 'mia%'`,
  'account-addresses': `UPDATE account SET email_key = 'elsewhere@example.com' WHERE email_key LIKE 'mia%'`,
  bots: `UPDATE account SET bot_type = 1 WHERE email_key LIKE 'mia%'`,
  'bot-services': `UPDATE account SET bot_type = 3 WHERE email_key LIKE 'robo%'`,
  tombstones: `UPDATE account SET is_deleted = true, is_active = true WHERE email_key LIKE 'mia%'`,
  'login-sessions': `INSERT INTO login_session
    (token_id, user_id, created_at, expires_at, address, user_agent)
    SELECT 'x', id, 0, 0, '', '' FROM account WHERE email_key LIKE 'robo%'`,
  invitations: `INSERT INTO invitation (nonce, inviter_id, is_multiuse, email, email_key, role, channel_ids, group_ids,
      with_default_channels, notifies_inviter, created_at, state, ended_at, mails_asked)
    SELECT 'x', MAX(id), true, 'x', 'x', 400, '[]', '[]', false, false, 0, 'open', NULL, 0 FROM account`,
  'upload-space': `INSERT INTO upload_space (user_id, bytes) SELECT MAX(id), 1 FROM account`,
  'muted-users':
    'INSERT INTO muted_user (user_id, muted_user_id, muted_at) SELECT MAX(id), MAX(id), 0 FROM account',
  'system-groups': `DELETE FROM user_group_subgroup WHERE group_id =
    (SELECT id FROM user_group WHERE name = 'role:members')`,
  'system-group-members': `DELETE FROM user_group_member WHERE user_id =
    (SELECT id FROM account WHERE email_key LIKE 'mia%')`,
  'group-cycles': `INSERT INTO user_group_subgroup (group_id, subgroup_id)
    SELECT a.id, b.id FROM user_group a, user_group b WHERE a.name = 'role:owners' AND b.name = 'role:everyone'`,
  'group-settings': 'UPDATE channel SET can_send_message_group = 99999',
  'organization-settings': `INSERT INTO organization_setting (name, value) VALUES ('description', 'no JSON')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  'channel-names': `UPDATE channel SET name_key = 'Other'  WHERE name_key = 'general'`,
  'channel-privacy': 'UPDATE channel SET is_web_public = true, is_private = true',
  'channel-first-messages': 'UPDATE channel SET first_message_id = 99999',
  topics: 'UPDATE topic SET message_count = message_count + 1',
  'topic-names': `UPDATE topic SET name_key = 'OTHER' WHERE id = (SELECT MAX(id) FROM topic)`,
  'topic-preferences': `INSERT INTO user_topic (user_id, channel_id, topic_key, topic_name, visibility_policy, last_updated)
    SELECT a.id, c.id, 'X', 'y', 1, 0 FROM account a, channel c WHERE a.email_key LIKE 'mia%' AND c.name_key = 'general'`,
  'subscription-periods': `INSERT INTO subscription_period (user_id, channel_id, first_message_id, last_message_id)
    SELECT user_id, channel_id, first_message_id, first_message_id FROM subscription_period`,
  'open-periods': 'DELETE FROM subscription_period',
  'message-places': 'UPDATE message SET conversation_id = (SELECT MAX(id) FROM direct_conversation)',
  conversations: 'UPDATE direct_conversation SET max_message_id = 1',
  'conversation-members': `UPDATE direct_conversation SET members_key = 'nobody'`,
  'reaction-facts': 'UPDATE message SET facts = facts | 64',
  'custom-reactions': `INSERT INTO reaction (message_id, user_id, emoji_type, emoji_code, emoji_name)
    SELECT MAX(message.id), MAX(account.id), 'realm_emoji', '99999', 'gone' FROM message, account`,
  'message-flags': `INSERT INTO message_flag (user_id, message_id, flags)
    SELECT MAX(account.id), MAX(message.id), 1 FROM account, message`,
  'message-jobs': `INSERT INTO job (kind, group_key, key, data, due_at, next_at, attempts, version)
    VALUES ('outgoing_webhook', '1', '99999', '{}', 9999999999999, 9999999999999, 0, 0)`,
  'scheduled-deliveries': `INSERT INTO reminder
    (user_id, target_message_id, note, content, rendered_content, deliver_at, has_failed)
    SELECT MAX(id), 1, '', '', '', 0, false FROM account`,
  'message-edits': 'INSERT INTO message_edit (message_id, user_id, edited_at) VALUES (99999, 1, 0)',
  'read-blocks': `INSERT INTO read_block (user_id, block, bits) SELECT MAX(id), 0, 'AAAA' FROM account`,
  'message-numbers': `INSERT INTO read_watermark (user_id, message_id) SELECT MAX(id), 99999 FROM account
    WHERE true ON CONFLICT (user_id) DO UPDATE SET message_id = 99999`,
  uploads: `INSERT INTO attachment (owner_id, path, file_name, content_type, size, created_at)
    SELECT MAX(id), '1/aa/lost/note.txt', 'note.txt', 'text/plain', 1, 0 FROM account`,
  thumbnails: `INSERT INTO attachment_picture (attachment_id, width, height, is_animated, thumbnails, bytes)
    SELECT MAX(id), 1, 1, false, 'made', 0 FROM attachment`,
  'unfinished-uploads': `INSERT INTO unfinished_upload (id, owner_id, file_name, content_type, pieces, length, received, touched_at)
    SELECT 'x', MAX(id), 'note.txt', '', 'lost', 2, 1, 0 FROM account`,
  avatars: `UPDATE account SET avatar_source = 'U', avatar_key = 'lost'`,
  'organization-pictures': `INSERT INTO organization_setting (name, value)
    VALUES ('logo', '{"key":"lost","version":2}')`,
  'custom-emoji': `INSERT INTO custom_emoji (name, file_key, is_animated, is_deactivated)
    VALUES ('lost', 'lost', false, false)`,
  exports: `INSERT INTO organization_export (requester_id, type, file_key, requested_at, succeeded_at, size)
    SELECT MAX(id), 'public', 'lost', 1, 2, 3 FROM account`,
  'event-numbers': `INSERT INTO event_queue (id, user_id, options, start_number, idle_timeout_seconds, last_seen_at)
    SELECT 'x', MAX(id), '{}', 99999, 60, 0 FROM account`,
  'event-audiences': 'UPDATE event_log SET audience = NULL, audience_id = NULL',
  'search-index': 'DELETE FROM topic_search',
  'directory-version': 'DELETE FROM directory_version',
  'server-state': 'DELETE FROM server_state',
};

/** Takes back what a case broke. */
class TakenBack extends Error {}

describe('checking the database', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
    const { olivia, mia } = app.cast;
    const id = await createChannel(app, olivia, 'checked');
    await sendTo(app, olivia, id, 'hello');
    await sendDirect(app, olivia, [mia], 'hello');
    await upload(app, mia);
  });

  afterAll(() => app.stop());

  const check = () => app.get(CheckDatabaseService);

  /** Names of what does not hold once the statement was given, which is then taken back. */
  async function brokenBy(statement: string): Promise<string[]> {
    const { engine } = app.get(Database);
    const broken: string[] = [];
    const work = app.get(TransactionService).run(async (tx) => {
      await tx.query(
        engine === 'sqlite'
          ? 'PRAGMA defer_foreign_keys = ON'
          : `SET LOCAL session_replication_role = 'replica'`,
      );
      await tx.query(statement);
      for (const invariant of check().invariants) {
        // One that asks the engine about its file cannot be asked here.
        const isOther = (invariant.engine ?? engine) !== engine || invariant.name === 'database-file';
        if (!isOther && (await invariant.find(tx)).length > 0) broken.push(invariant.name);
      }
      throw new TakenBack();
    });
    await expect(work).rejects.toBeInstanceOf(TakenBack);
    return broken;
  }

  it('finds nothing in a sound one', async () => {
    const { signal } = new AbortController();
    const { invariants } = await check().check({ site: '', signal, report: () => undefined });
    expect(invariants.filter(({ holds }) => !holds)).toEqual([]);
  });

  it('has a case for every invariant', () => {
    const names = check().invariants.map(({ name }) => name);
    expect(names.sort()).toEqual([...Object.keys(BREAKS), 'database-file'].sort());
  });

  it.each(Object.entries(BREAKS))('names %s', async (name, statement) => {
    await expect(brokenBy(statement)).resolves.toContain(name);
  });

  it('finds no topics in the search that went under an old server, once the database is migrated', async () => {
    const { olivia } = app.cast;
    const database = app.get(Database);
    const holds = async () =>
      (
        await check()
          .invariants.find(({ name }) => name === 'search-index')
          ?.find(database.read)
      )?.length === 0;
    const forgotten =
      database.engine === 'sqlite'
        ? `INSERT INTO topic_search (rowid, words) VALUES (99999, 'hello')`
        : `INSERT INTO topic_search (topic_id, document) VALUES (99999, 'hello')`;
    await app.writeRows((tx) => tx.query(forgotten));
    await expect(holds()).resolves.toBe(false);
    const runner = database.writeSource.createQueryRunner();
    await new ForgottenTopics1700000000016().up(runner);
    await runner.release();
    await expect(holds()).resolves.toBe(true);
    const topic = await sendTo(app, olivia, 'checked', 'still hello', 'quiet');
    await expect(fetchIds(app, olivia, [['search', 'still']])).resolves.toEqual([topic]);
    await expect(fetchIds(app, olivia, [['search', 'hello']])).resolves.toHaveLength(3);
  });

  it('names database-file, where the file is damaged', async () => {
    const database = app.get(Database);
    const folder = mkdtempSync(join(tmpdir(), 'parley-check-'));
    const file = join(folder, 'parley.db');
    await database.copyTo(file);
    if (database.engine === 'sqlite') {
      const [page] = await database.read.query<{ root: number; size: number }>(
        `SELECT rootpage AS root, page_size AS size FROM sqlite_master, pragma_page_size
         WHERE name = 'ix_channel_name_key'`,
      );
      const { root, size } = page as { root: number; size: number };
      const handle = openSync(file, 'r+');
      writeSync(handle, Buffer.alloc(size, 0xff), 0, size, (root - 1) * size);
      closeSync(handle);
      const damaged = await Database.open(databaseOptions(loadConfig({ DATA_DIR: folder }), tables));
      const sound = check().invariants.find(({ name }) => name === 'database-file');
      const found = await sound?.find(damaged.read).catch((error: unknown) => [String(error)]);
      await damaged.close();
      expect(found).not.toEqual([]);
    }
    rmSync(folder, { recursive: true, force: true });
  });
});
