import { ACTOR_NAMES, type ActorName } from './actors';

/** A row of the table: what comes of trying something, by who tries. */
export interface Row {
  readonly route: string;
  readonly about: string;
  readonly outcomes: Readonly<Record<ActorName, string>>;
}

const EXPLANATION = `
# Who may do what: every endpoint, tried by every role and kind of bot on everything that makes a difference.
#   yes     it is done
#   no      it is refused
#   hidden  the answer is the same as for something that does not exist
#   closed  whoever this is may not call the endpoint at all
# Nobody but people can sign in to the interface under {site}/api; bots try it with their API key.
# Channels and messages are another member's, unless it says otherwise; bots belong to the member. Of several outcomes,
# the first is for subscribers of the channel, the second for whoever has left it, and the third for whoever never was
# subscribed; where the last ones are the same, they stand there once. Of direct messages, the first is for those who
# take part, the second for everybody else.
`.trimStart();

/** The permission matrix as a table with tabs. */
export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map(({ route, about, outcomes }) => [
    route,
    about,
    ...ACTOR_NAMES.map((name) => outcomes[name]),
  ]);
  return (
    EXPLANATION +
    [['endpoint', 'on', ...ACTOR_NAMES], ...lines].map((cells) => `${cells.join('\t')}\n`).join('')
  );
}

/** Reads what {@link formatTable} wrote. */
export function parseTable(text: string): Row[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.slice(1).map((line) => {
    const [route = '', about = '', ...cells] = line.split('\t');
    const outcomes = Object.fromEntries(ACTOR_NAMES.map((name, at) => [name, cells[at]]));
    return { route, about, outcomes: outcomes as Row['outcomes'] };
  });
}
