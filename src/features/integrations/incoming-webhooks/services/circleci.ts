import { refusal } from '../../../../platform/errors/api-error';
import type { Integration, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { code, joined, link, safe, NOTHING, type SafeText } from '../reading/safe-text';
import { shortHash } from './git-text';

const OUTCOMES: Readonly<Record<string, string>> = {
  success: 'has succeeded',
  failed: 'has failed',
  error: 'has ended with an error',
  canceled: 'was canceled',
  unauthorized: 'was not allowed to run',
};

function outcomeOf(status: string): string {
  return (Object.hasOwn(OUTCOMES, status) ? OUTCOMES[status] : undefined) ?? `is now ${status}`;
}

/** A commit as one of the kinds of projects tells of it. */
interface Commit {
  readonly hash: string;
  readonly url: string;
  readonly title: string;
  readonly author: string;
  readonly place: string;
}

/** The commit that was built; null for a manual start that names none. @throws ForeignProject */
function commitOf(payload: Payload): Commit | null {
  const vcs = payload.at('pipeline.vcs');
  if (payload.has('pipeline.vcs')) {
    const hash = vcs.textOr('revision', vcs.textOr('commit.id', ''));
    const repository = vcs.textOr('target_repository_url', vcs.textOr('origin_repository_url', ''));
    const isGithub = vcs.is('provider_name', 'github') || repository.startsWith('https://github.com/');
    return {
      hash,
      url: `${repository}/${isGithub ? 'commit' : 'commits'}/${hash}`,
      title: vcs.textOr('commit.subject', ''),
      author: vcs.textOr('commit.author.name', ''),
      place: vcs.textOr('branch', vcs.textOr('tag', '')),
    };
  }
  const trigger = payload.at('pipeline.trigger_parameters');
  if (!trigger.has('gitlab')) {
    if (trigger.has('trigger.type')) throw new ForeignProject();
    return null;
  }
  const gitlab = trigger.object('gitlab');
  const hash = gitlab.textOr('checkout_sha', '');
  return {
    hash,
    url: `${gitlab.textOr('web_url', '')}/-/commit/${hash}`,
    title: gitlab.textOr('commit_title', ''),
    author: gitlab.textOr('commit_author_name', ''),
    place: gitlab.textOr('branch', ''),
  };
}

/** The project is hosted by a service whose commits cannot be read. */
class ForeignProject extends refusal(
  "Projects using this version control system provider aren't supported",
) {}

function commitLine(payload: Payload): SafeText {
  const commit = commitOf(payload);
  if (commit === null || commit.hash === '') return NOTHING;
  const { hash, url, title, author, place } = commit;
  const by = author === '' ? NOTHING : safe` by ${author}`;
  const on = place === '' ? NOTHING : safe` on ${code(place)}`;
  if (title === '') return safe`Started by hand${on}: commit ${link(shortHash(hash), url)}${by}.`;
  return safe`Commit ${link(shortHash(hash), url)}${by}${on}: ${title}`;
}

function completed(payload: Payload, kind: 'workflow' | 'job'): IntegrationPost {
  const project = payload.text('project.name');
  const name = payload.text(`${kind}.name`);
  const url = kind === 'workflow' ? payload.textOr('workflow.url', '') : '';
  const pipeline = payload.textOr('pipeline.number', '?');
  const word = kind === 'workflow' ? 'Workflow' : 'Job';
  const sentence = safe`${word} ${link(code(name), url)} within Pipeline #${pipeline} ${outcomeOf(payload.text(`${kind}.status`))}.`;
  return {
    event: `${kind}-completed`,
    topic: project,
    content: joined([sentence, commitLine(payload)], '\n\n'),
  };
}

/** CircleCI. */
export const CIRCLECI: Integration = {
  name: 'circleci',
  displayName: 'CircleCI',
  about: 'Finished jobs and workflows.',
  events: ['ping', 'job-completed', 'workflow-completed'],
  read(call): IntegrationPost {
    const { payload } = call;
    const type = payload.text('type');
    if (type === 'workflow-completed') return completed(payload, 'workflow');
    if (type === 'job-completed') return completed(payload, 'job');
    if (type !== 'ping') throw call.unsupported(type);
    return {
      event: 'ping',
      topic: 'Test event',
      content: safe`CircleCI can write here now (${payload.textOr('webhook.name', 'webhook')}).`,
    };
  },
};
