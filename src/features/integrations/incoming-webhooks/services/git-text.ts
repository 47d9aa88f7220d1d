import type { IntegrationPost } from '../reading/integration';
import { bullets, code, joined, link, safe, NOTHING, quoted, type SafeText } from '../reading/safe-text';

/** What is said of work on code, by every service that keeps code. */

/** Longest part of a hash that is shown. */
const SHORT_HASH = 11;

/** Most people who are named with what they did; the others are counted. */
const MAX_NAMED = 3;

/** A commit that was pushed. */
export interface PushedCommit {
  readonly message: string;
  readonly url: string;
  readonly hash: string;
  readonly author: string;
}

/** A push to a branch. */
export interface Push {
  readonly repository: string;
  readonly branch: string;
  readonly user: string;
  /** Where what is new can be seen. */
  readonly url: string;
  readonly commits: readonly PushedCommit[];
  /** How many there were, where the service does not send all. */
  readonly total?: number;
  /** Whether there were more, and the service does not say how many. */
  readonly isTruncated?: boolean;
  readonly isForced?: boolean;
  readonly isDeleted?: boolean;
}

/** The topic of a branch. */
export const branchTopic = (repository: string, branch: string) => `${repository} / ${branch}`;

/** The topic of something with a number: `PR`, `MR`, `issue`. */
export const itemTopic = (repository: string, kind: string, number: string, title: string) =>
  `${repository} / ${kind} #${number} ${title}`;

export const shortHash = (hash: string) => hash.slice(0, SHORT_HASH);

/** Names of people as a sentence has them. */
export function namesOf(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** A push of commits, of a branch without any, or the deletion of a branch. */
export function pushPost(event: string, push: Push): IntegrationPost {
  const { repository, branch, user, url, commits, isForced, isDeleted } = push;
  const topic = branchTopic(repository, branch);
  const total = push.total ?? commits.length;
  if (isDeleted)
    return { event, topic, content: safe`${user} ${link('deleted', url)} the branch ${branch}.` };
  const did = link(isForced ? 'force pushed' : 'pushed', url);
  if (total === 0) return { event, topic, content: safe`${user} ${did} the branch ${branch}.` };
  const number = `${total} ${total === 1 ? 'commit' : 'commits'}`;
  const head = safe`${user} ${did} ${number} to branch ${branch}.${authorsOf(push)}`;
  return { event, topic, content: joined([head, commitList(commits, total, push.isTruncated)], '\n\n') };
}

/** Who wrote the commits, unless it is the one who pushed them. */
function authorsOf({ user, commits }: Push): SafeText {
  const counts = new Map<string, number>();
  for (const { author } of commits) counts.set(author, (counts.get(author) ?? 0) + 1);
  if (counts.size === 0 || (counts.size === 1 && counts.has(user))) return NOTHING;
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const others = ranked.slice(MAX_NAMED).reduce((sum, [, count]) => sum + count, 0);
  const named = ranked.slice(0, MAX_NAMED).map(([author, count]) => `${author} (${count})`);
  return safe` Commits by ${namesOf(others === 0 ? named : [...named, `others (${others})`])}.`;
}

const MAX_COMMITS = 20;

function commitList(commits: readonly PushedCommit[], total: number, isTruncated = false): SafeText {
  const shown = commits.slice(0, MAX_COMMITS);
  const left = total - shown.length;
  const lines = bullets(
    shown.map(({ message, hash, url }) => safe`${firstLine(message)} (${link(shortHash(hash), url)})`),
  );
  if (isTruncated) return safe`${lines}\n\n[and more commits]`;
  return left > 0 ? safe`${lines}\n\n[and ${left} more ${left === 1 ? 'commit' : 'commits'}]` : lines;
}

const firstLine = (text: string) => text.trimStart().split('\n', 1)[0] ?? '';

/** A tag that came or went. */
export function tagPost(event: string, { repository, user, tag, url, isGone }: TagChange): IntegrationPost {
  const content = safe`${user} ${isGone ? 'removed' : 'pushed'} tag ${isGone ? tag : link(tag, url)}.`;
  return { event, topic: repository, content };
}

interface TagChange {
  readonly repository: string;
  readonly user: string;
  readonly tag: string;
  readonly url: string;
  readonly isGone: boolean;
}

/** A pull request, merge request or issue, as sentences name it. */
export interface Item {
  readonly kind: string;
  readonly number: string;
  readonly title: string;
  readonly url: string;
  /** Whether the title has to be named, because no topic has it. */
  readonly isNamed: boolean;
}

export function itemLink({ kind, number, title, url, isNamed }: Item): SafeText {
  return link(`${kind} #${number}${isNamed ? ` ${title}` : ''}`, url);
}

/** From where to where a request goes. */
export function branchesOf(head: string, base: string): SafeText {
  return head === '' || base === '' ? NOTHING : safe` from ${code(head)} to ${code(base)}`;
}

export function assignedTo(names: readonly string[]): SafeText {
  return names.length === 0 ? NOTHING : safe` (assigned to ${namesOf(names)})`;
}

/** A sentence with a quotation below it, or a full stop without one. */
export function withQuote(sentence: SafeText, text: string): SafeText {
  const quote = quoted(text);
  return quote.isEmpty ? safe`${sentence}.` : safe`${sentence}:\n\n${quote}`;
}

/** That the address works. */
export function setUp(service: string, user: string): SafeText {
  return user === ''
    ? safe`${service} can write here now.`
    : safe`${service} can write here now. ${user} set it up.`;
}
