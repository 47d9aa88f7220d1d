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

function commitLine(payload: Payload): SafeText {
  const vcs = payload.at('pipeline.vcs');
  const hash = vcs.textOr('revision', vcs.textOr('commit.id', ''));
  if (hash === '') return NOTHING;
  const url = vcs.textOr('target_repository_url', vcs.textOr('origin_repository_url', ''));
  const commit = link(shortHash(hash), `${url}/commit/${hash}`);
  const author = vcs.textOr('commit.author.name', '');
  const place = vcs.textOr('branch', vcs.textOr('tag', ''));
  const by = author === '' ? NOTHING : safe` by ${author}`;
  return safe`Commit ${commit}${by}${place === '' ? NOTHING : safe` on ${code(place)}`}: ${vcs.textOr('commit.subject', 'no subject')}`;
}

function completed(payload: Payload, kind: 'workflow' | 'job'): IntegrationPost {
  const project = payload.text('project.name');
  const name = payload.text(`${kind}.name`);
  const url = payload.textOr('workflow.url', '');
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
  about: 'Jobs and workflows that ended.',
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
