import { shortHash } from './git-text';
import { refusal } from '../../../../platform/errors/api-error';
import type { Integration, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, code, joined, link, NOTHING, quoted, safe, type SafeText } from '../reading/safe-text';

/** Heroku's deploy hook, which sends a form, and its app webhooks, which send JSON. */
export const HEROKU: Integration = {
  name: 'heroku',
  displayName: 'Heroku',
  about: 'Deployed versions of apps.',
  events: null,
  takesForm: true,
  read(call): IntegrationPost | null {
    const { payload } = call;
    if (payload.has('data')) {
      const [resource, action] = [payload.text('resource'), payload.text('action')];
      if (resource !== 'release') throw call.unsupported(`${resource} ${action}`);
      if (!payload.is('data.status', 'succeeded') && !payload.is('data.status', 'failed')) return null;
      const app = payload.firstText('data.app.name', 'data.app.id');
      const who = payload.textOr('actor.email', payload.textOr('data.user.email', 'Someone'));
      const outcome = payload.is('data.status', 'failed') ? 'could not release' : 'released';
      const about = payload.textOr('data.description', '');
      const head = safe`${who} ${outcome} version ${payload.textOr('data.version', '?')} of ${app}.`;
      return { event: null, topic: app, content: joined([head, quoted(about)], '\n\n') };
    }
    const app = payload.text('app');
    const head = safe`${payload.text('user')} deployed version ${shortHash(payload.text('head'))} of ${link(app, payload.textOr('url', ''))}:`;
    return {
      event: null,
      topic: app,
      content: joined([head, quoted(payload.textOr('git_log', ''))], '\n\n'),
    };
  },
};

const WORDS: Readonly<Record<string, string>> = {
  deploy_building: 'has started',
  deploy_created: 'is live',
  deploy_failed: 'has failed',
  deploy_locked: 'is locked',
  deploy_unlocked: 'is no longer locked',
  deploy_request_pending: 'waits to be accepted',
  deploy_request_accepted: 'was accepted',
  deploy_request_rejected: 'was rejected',
};

/** Netlify. */
export const NETLIFY: Integration = {
  name: 'netlify',
  displayName: 'Netlify',
  about: 'Deploys that start, go live, fail or wait for approval.',
  events: Object.keys(WORDS),
  read(call): IntegrationPost {
    const { payload } = call;
    const event = call.eventHeader('X-Netlify-Event');
    const did = Object.hasOwn(WORDS, event) ? WORDS[event] : undefined;
    if (did === undefined) throw call.unsupported(event);
    const site = link(payload.text('name'), payload.textOr('url', ''));
    const branch = payload.textOr('branch', '');
    const of = branch === '' ? safe`` : safe` of ${code(branch)}`;
    const state =
      event === 'deploy_building' || event === 'deploy_created' ? payload.textOr('state', '') : '';
    const log = link('log', `${payload.textOr('admin_url', '')}/deploys/${payload.textOr('id', '')}`);
    const head = safe`The deploy${of} to ${site} ${did}${state === '' ? safe`` : safe`: ${bold(state)}`} (${log}).`;
    const text = payload.textOr('error_message', payload.textOr('title', ''));
    return { event, topic: branch, content: joined([head, quoted(text)], '\n\n') };
  },
};

const GOOD = new Set(['Passed', 'Fixed']);
const BAD = new Set(['Failed', 'Broken', 'Still Failing', 'Errored', 'Canceled']);

function markOf(status: string): string {
  if (GOOD.has(status)) return ':thumbs_up:';
  return BAD.has(status) ? ':thumbs_down:' : `(status: ${status})`;
}

/** Travis CI, which sends its JSON in the field `payload` of a form. */
export const TRAVIS: Integration = {
  name: 'travis',
  displayName: 'Travis CI',
  about: 'Finished builds.',
  events: ['push', 'pull_request', 'api', 'cron'],
  read({ payload }): IntegrationPost {
    const status = payload.textOr('status_message', payload.textOr('result_message', 'Unknown'));
    const links = safe`${link('changes', payload.textOr('compare_url', ''))}, ${link('build log', payload.text('build_url'))}`;
    const content = safe`Author: ${payload.textOr('author_name', 'unknown')}\nBuild status: ${status} ${markOf(status)}\nDetails: ${links}`;
    return { event: payload.textOr('type', 'push'), topic: 'builds', content };
  },
};

/** Texts for results. */
const RESULTS: Readonly<Record<string, SafeText>> = {
  SUCCESS: safe`:check: **succeeded**`,
  FAILURE: safe`:cross_mark: **failed**`,
  UNSTABLE: safe`:warning: is **unstable**`,
  ABORTED: safe`:stop_sign: was **aborted**`,
  NOT_BUILT: safe`was **not built**`,
};

/** Texts for phases that have no result yet. */
const WITHOUT_RESULT: Readonly<Record<string, string>> = { QUEUED: 'waits', STARTED: 'has started' };

/** Jenkins with the Notification plugin, which sends JSON for each phase of a build. */
export const JENKINS: Integration = {
  name: 'jenkins',
  displayName: 'Jenkins',
  about: 'Builds that start and end, sent by the Notification plugin (JSON over HTTP).',
  events: ['queued', 'started', 'completed', 'finalized'],
  read(call): IntegrationPost | null {
    const { payload } = call;
    const job = payload.text('name');
    const build = payload.object('build');
    const phase = build.text('phase').toUpperCase();
    const named = link(`${job} #${build.textOr('number', '?')}`, build.textOr('full_url', ''));
    const event = phase.toLowerCase();
    const begun = Object.hasOwn(WITHOUT_RESULT, phase) ? WITHOUT_RESULT[phase] : undefined;
    if (begun !== undefined) return { event, topic: job, content: safe`Build ${named} ${begun}.` };
    // Repeats the report of the phase COMPLETED, which comes before.
    if (phase === 'FINALIZED') return null;
    if (phase !== 'COMPLETED') throw call.unsupported(event);
    const status = build.textOr('status', 'UNKNOWN');
    const result = (Object.hasOwn(RESULTS, status) ? RESULTS[status] : undefined) ?? safe`ended: ${status}`;
    const hash = build.textOr('scm.commit', '');
    const branch = build.textOr('scm.branch', '');
    const commit =
      hash === ''
        ? NOTHING
        : safe`Commit ${code(shortHash(hash))}${branch === '' ? NOTHING : safe` of ${code(branch)}`}`;
    return { event, topic: job, content: joined([safe`Build ${named} ${result}.`, commit], '\n') };
  },
};

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

/** A commit, from any kind of project. */
interface Commit {
  readonly hash: string;
  readonly url: string;
  readonly title: string;
  readonly author: string;
  readonly place: string;
}

/** The built commit; null for a manual start without one. @throws ForeignProject */
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

/** The project's hosting service is not supported. */
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
