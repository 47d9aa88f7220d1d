import { Writer, type Acknowledged, type Done } from './load';
import { mayBeLost, type Loss } from './loss';
import type { Stored } from './stored';

/** A reaction or a flag that the server said it has. */
interface Mark extends Done {
  readonly kind: 'reactions' | 'flags';
  readonly name: string;
  readonly message: Acknowledged;
}

/** Which reactions each message gets, and then which flag. */
const EMOJI = ['octopus', 'tada'];
const FLAG = 'starred';

/** Adds reactions and a flag to each message that it has sent, and tries nothing twice. */
export class Marker extends Writer {
  readonly marks: Mark[] = [];
  /** What the server would not mark, as it said that there was no such message. */
  readonly unknown: Acknowledged[] = [];

  protected override async write(): Promise<Acknowledged | null> {
    const message = await super.write();
    if (message === null) return null;
    const { id } = message;
    for (const name of EMOJI)
      await this.mark({ kind: 'reactions', name, message }, `/messages/${id}/reactions`, {
        emoji_name: name,
      });
    await this.mark({ kind: 'flags', name: FLAG, message }, '/messages/flags', {
      messages: `[${id}]`,
      op: 'add',
      flag: FLAG,
    });
    return message;
  }

  private async mark(
    mark: Omit<Mark, keyof Done>,
    path: string,
    form: Record<string, string>,
  ): Promise<void> {
    const sentMs = performance.now();
    const outcome = await this.caller.call(path, form);
    if (outcome.status === 400) this.unknown.push(mark.message);
    else if (await this.isDone(outcome)) this.marks.push({ ...mark, sentMs, atMs: performance.now() });
  }
}

/** Compares what a client was told of its marks with what the server has. */
export function wrongMarks(
  all: readonly Stored[],
  { marks, unknown }: Marker,
  loss: Loss | undefined,
): string[] {
  const complaints: string[] = [];
  const byId = new Map(all.map((message) => [message.id, message]));
  const namesOf = (id: number, kind: Mark['kind']): readonly string[] => {
    const message = byId.get(id);
    return (kind === 'flags' ? message?.flags : message?.reactions.map((each) => each.emoji_name)) ?? [];
  };
  const missing = marks.filter(
    (mark) => !mayBeLost(mark, loss) && !namesOf(mark.message.id, mark.kind).includes(mark.name),
  );
  if (missing.length > 0)
    complaints.push(`${missing.length} reactions and flags are lost, such as ${missing[0]?.name}.`);
  for (const { id, content } of all)
    for (const kind of ['reactions', 'flags'] as const) {
      const names = namesOf(id, kind);
      if (new Set(names).size < names.length) complaints.push(`"${content}" has ${names.join(', ')}.`);
    }
  // Where the message itself was lost, there is nothing to mark.
  const denied = unknown.filter(({ id, content }) => byId.get(id)?.content === content);
  if (denied.length > 0) complaints.push(`${denied.length} messages could not be marked, and are there.`);
  return complaints;
}
