import { chunksOf } from '../../../../platform/collections';
import { insertRows } from '../../../../platform/sql/entity-rows';
import { MAX_SUBMESSAGE_TYPE, SUBMESSAGES_OF_MESSAGE } from '../../../messages/messages.module';
import { type ArchiveRow, RowUnusable } from '../records/archive-row';
import type { Survey } from '../source/survey';
import { existing } from './first-and-last-steps';
import { type ImportContext, type ImportStep, type PreparedStep, usableRows } from './import-context';

const BATCH = 1_000;

/** Polls and to-do lists of the archive, with votes and finished tasks. */
export class SubmessagesStep implements ImportStep {
  readonly name = 'submessages';

  async prepare(context: ImportContext): Promise<PreparedStep> {
    const { survey, ledger } = context;
    const sums = new Map<number, { count: number; characters: number }>();
    const rows = await usableRows(context, ['zerver_submessage'], (row) => {
      const message = survey.messages.find(row.id('message'));
      if (message === null) throw new RowUnusable('Its message is not there.');
      const content = contentOf(row, survey);
      const { count, characters } = sums.get(message) ?? { count: 0, characters: 0 };
      const sum = { count: count + 1, characters: characters + content.length };
      if (sum.count > SUBMESSAGES_OF_MESSAGE.count || sum.characters > SUBMESSAGES_OF_MESSAGE.characters)
        throw new RowUnusable('The message has too many of them.');
      sums.set(message, sum);
      return {
        old: row.name,
        row: {
          message_id: message,
          sender_id: survey.accounts.get(row.id('sender')),
          msg_type: row.text('msg_type').slice(0, MAX_SUBMESSAGE_TYPE),
          content,
        },
      };
    });
    return async (tx) => {
      for (const some of chunksOf(rows, BATCH)) {
        const there = await existing(
          tx,
          some.map(({ row }) => row.message_id),
        );
        for (const { old, row } of some)
          if (!there.has(row.message_id))
            ledger.note('left out', 'zerver_submessage', old, 'Its message is not there.');
        await insertRows(
          tx,
          'submessage',
          some.map(({ row }) => row).filter(({ message_id: id }) => there.has(id)),
        );
      }
    };
  }
}

/** JSON in which options and tasks are identified by author: `7,1` is the first one by the user with ID 7. */
function contentOf(row: ArchiveRow, survey: Survey): string {
  const text = row.text('content');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new RowUnusable('Its content is no JSON.');
  }
  const { key } = Object(content) as { key?: unknown };
  const [, id, rest] = (typeof key === 'string' && /^(\d{1,15})(,.*)$/s.exec(key)) || [];
  if (id === undefined) return text;
  return JSON.stringify({ ...(content as object), key: `${survey.accounts.get(Number(id))}${rest}` });
}
