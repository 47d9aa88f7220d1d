import { encoded, ROOT } from '../router';

/** Pages by their fragments in other clients. */
const PAGES: Readonly<Record<string, string>> = {
  '#inbox': '',
  '#channels': '/channels',
  '#recent': '/recent',
  '#feed': '/feed',
  '#all_messages': '/feed',
  '#drafts': '/drafts',
  '#scheduled': '/scheduled',
  '#reminders': '/reminders',
};

/** The page for a URL fragment of other clients, such as `#narrow/channel/7-backend/topic/weekly.20plan/near/42`. */
export function pageOf(fragment: string): string | null {
  const page = PAGES[fragment.split('/', 1)[0]!];
  if (page !== undefined) return ROOT + page;
  if (!fragment.startsWith('#narrow/')) return null;
  const terms: Record<string, string> = {};
  const parts = fragment.split('/');
  for (let at = 1; at < parts.length; at += 2) terms[parts[at]!] = parts[at + 1] ?? '';
  const read = (part: string) => encoded(decodeURIComponent(part.replaceAll('.', '%')));
  const near = parseInt(terms['near'] ?? terms['with'] ?? '', 10);
  const at = near ? `?near=${near}` : '';
  const channel = parseInt(terms['channel'] ?? terms['stream'] ?? '', 10);
  const people = /^[\d,]+/.exec(terms['dm'] ?? terms['pm-with'] ?? '');
  try {
    if (channel) {
      const topic = terms['topic'] === undefined ? '' : `/topic/${read(terms['topic'])}`.replace(/\/$/, '');
      return `${ROOT}/channels/${channel}${topic}${at}`;
    }
    if (people) return `${ROOT}/direct/${people[0]}${at}`;
    if (terms['is'] === 'starred') return `${ROOT}/starred`;
    if (terms['is'] === 'mentioned') return `${ROOT}/mentions`;
    if (terms['search']) return `${ROOT}/search?q=${read(terms['search'])}`;
  } catch {
    // Malformed fragments are not converted.
  }
  return null;
}
