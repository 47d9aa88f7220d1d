import type { MigrationInterface, QueryRunner, Table } from 'typeorm';
import { columns, idColumn, index, nullable, reference, table } from './table-columns';

const COLUMNS = ['kind', 'group_key', 'key', 'data', 'due_at', 'next_at', 'attempts', 'version'];

interface Job {
  readonly kind: string;
  readonly group_key: string;
  readonly key: string | null;
  readonly data: string;
  readonly due_at: number | string;
  readonly next_at: number | string;
  readonly attempts: number;
}

interface WebhookDelivery {
  readonly message_id: number;
  readonly bot_id: number;
  readonly cause: string;
  readonly attempts: number;
  readonly due_at: number | string;
  readonly reply: string | null;
}

interface MessagingAnswer {
  readonly id: number;
  readonly conversation_id: number;
  readonly message_id: number;
  readonly attempts: number;
  readonly due_at: number | string;
  readonly created_at: number | string;
}

interface UnfinishedWork {
  readonly kind: string;
  readonly data: string;
  readonly due_at: number | string;
}

/** Names of unfinished work, by job kind. */
const WORK: Readonly<Record<string, string>> = {
  read_muted_sender: 'read what the muted said',
  read_moved_messages: 'read what moved away',
};

/** One table for all follow-up work of changes. */
export class Jobs1700000000018 implements MigrationInterface {
  name = 'Jobs1700000000018';

  private readonly jobs = table(
    'job',
    [
      idColumn(),
      columns('text', 'kind group_key'),
      columns('text', 'key', nullable),
      columns('text', 'data'),
      columns('bigint', 'due_at next_at'),
      columns('integer', 'attempts version'),
      columns('text', 'lease_owner', nullable),
      columns('bigint', 'lease_until', nullable),
      columns('text', 'last_error', nullable),
    ],
    {
      indices: [
        index('job', 'kind key group_key', { unique: true }),
        index('job', 'kind next_at'),
        index('job', 'kind group_key id'),
      ],
    },
  );

  private readonly before: readonly Table[] = [
    table(
      'webhook_delivery',
      [
        idColumn(),
        columns('integer', 'message_id bot_id'),
        columns('text', 'cause'),
        columns('integer', 'attempts'),
        columns('bigint', 'due_at'),
        columns('text', 'reply', nullable),
      ],
      {
        references: [reference('message_id', 'message'), reference('bot_id', 'account')],
        indices: [
          index('webhook_delivery', 'message_id bot_id', { unique: true }),
          index('webhook_delivery', 'due_at'),
        ],
      },
    ),
    table(
      'messaging_answer',
      [
        idColumn(),
        columns('integer', 'conversation_id message_id attempts'),
        columns('bigint', 'due_at created_at'),
      ],
      {
        references: [
          reference('conversation_id', 'messaging_conversation'),
          reference('message_id', 'message'),
        ],
        indices: [
          index('messaging_answer', 'message_id', { unique: true }),
          index('messaging_answer', 'conversation_id id'),
          index('messaging_answer', 'due_at'),
        ],
      },
    ),
    table('unfinished_work', [idColumn(), columns('text', 'kind data'), columns('bigint', 'due_at')], {
      indices: [index('unfinished_work', 'due_at')],
    }),
  ];

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(this.jobs);
    const jobs = [
      ...(await rowsOf<WebhookDelivery>(queryRunner, 'webhook_delivery')).map(fromDelivery),
      ...(await rowsOf<MessagingAnswer>(queryRunner, 'messaging_answer')).map(fromAnswer),
      ...(await rowsOf<UnfinishedWork>(queryRunner, 'unfinished_work')).flatMap(fromWork),
    ];
    await insert(
      queryRunner,
      'job',
      COLUMNS,
      jobs.map((job) => ({ ...job, version: 0 })),
    );
    for (const each of this.before) await queryRunner.dropTable(each);
  }

  /** Deletes jobs of kinds that had no table before. */
  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of this.before) await queryRunner.createTable(each);
    const jobs = await rowsOf<Job>(queryRunner, 'job');
    const of = (kind: string) => jobs.filter((job) => job.kind === kind);
    await insert(
      queryRunner,
      'webhook_delivery',
      ['message_id', 'bot_id', 'cause', 'attempts', 'due_at', 'reply'],
      of('outgoing_webhook').map(toDelivery),
    );
    await insert(
      queryRunner,
      'messaging_answer',
      ['conversation_id', 'message_id', 'attempts', 'due_at', 'created_at'],
      of('messaging_answer').map(toAnswer),
    );
    await insert(
      queryRunner,
      'unfinished_work',
      ['kind', 'data', 'due_at'],
      jobs.flatMap(({ kind, data, next_at }) =>
        WORK[kind] ? [{ kind: WORK[kind], data, due_at: next_at }] : [],
      ),
    );
    await queryRunner.dropTable(this.jobs);
  }
}

function fromDelivery({ message_id, bot_id, cause, attempts, due_at, reply }: WebhookDelivery): Job {
  const data = { messageId: message_id, botId: bot_id, cause, reply };
  return {
    kind: 'outgoing_webhook',
    group_key: String(bot_id),
    key: String(message_id),
    data: JSON.stringify(data),
    due_at,
    next_at: due_at,
    attempts,
  };
}

/** Receivers identify an answer by its number. */
function fromAnswer({ id, conversation_id, message_id, attempts, due_at, created_at }: MessagingAnswer): Job {
  const data = { conversationId: conversation_id, messageId: message_id, number: id };
  return {
    kind: 'messaging_answer',
    group_key: String(conversation_id),
    key: String(message_id),
    data: JSON.stringify(data),
    due_at: created_at,
    next_at: due_at,
    attempts,
  };
}

function fromWork({ kind, data, due_at }: UnfinishedWork): Job[] {
  const name = Object.keys(WORK).find((each) => WORK[each] === kind);
  if (name === undefined) return [];
  return [{ kind: name, group_key: '', key: null, data, due_at, next_at: due_at, attempts: 0 }];
}

function toDelivery({ data, attempts, next_at }: Job): object {
  const { messageId, botId, cause, reply } = JSON.parse(data) as Record<string, unknown>;
  return { message_id: messageId, bot_id: botId, cause, attempts, due_at: next_at, reply };
}

function toAnswer({ data, attempts, due_at, next_at }: Job): object {
  const { conversationId, messageId } = JSON.parse(data) as Record<string, unknown>;
  return {
    conversation_id: conversationId,
    message_id: messageId,
    attempts,
    due_at: next_at,
    created_at: due_at,
  };
}

function rowsOf<Row>(queryRunner: QueryRunner, name: string): Promise<Row[]> {
  return queryRunner.query(`SELECT * FROM ${name} ORDER BY id`);
}

/** One by one: there are few, and engines limit the values of a statement. */
async function insert(
  queryRunner: QueryRunner,
  name: string,
  names: string[],
  rows: readonly object[],
): Promise<void> {
  for (const row of rows)
    await queryRunner.manager.createQueryBuilder().insert().into(name, names).values(row).execute();
}
