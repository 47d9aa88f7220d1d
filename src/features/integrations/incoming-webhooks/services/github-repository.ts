import type { EventReader, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, bullets, code, joined, link, safe, quoted, type SafeText } from '../reading/safe-text';
import { shortHash, withQuote } from './git-text';

const repositoryLink = (payload: Payload) =>
  link(payload.text('repository.full_name'), payload.text('repository.html_url'));

const userLink = (payload: Payload) =>
  link(payload.text('sender.login'), payload.textOr('sender.html_url', ''));

/** Creates a reader that reports an event in the topic of the repository. */
function inRepository(
  event: string,
  say: (payload: Payload, call: IntegrationCall) => SafeText | null,
): EventReader {
  return (call): IntegrationPost | null => {
    const content = say(call.payload, call);
    return content && { event, topic: call.payload.text('repository.name'), content };
  };
}

/** Creates a reader that reports an event in a topic of its own. */
function inTopic(
  event: string,
  topicOf: (payload: Payload) => string,
  say: (payload: Payload) => SafeText | null,
): EventReader {
  return ({ payload }): IntegrationPost | null => {
    const content = say(payload);
    return content && { event, topic: `${payload.text('repository.name')} / ${topicOf(payload)}`, content };
  };
}

const PAGE_STATES: Readonly<Record<string, string>> = {
  null: 'has yet to be built',
  built: 'has finished building',
  building: 'is being built',
  errored: 'has failed',
};

function pageBuild(payload: Payload): SafeText {
  const status = payload.textOr('build.status', 'null');
  const state = (Object.hasOwn(PAGE_STATES, status) ? PAGE_STATES[status] : undefined) ?? `is ${status}`;
  const sentence = safe`GitHub Pages, triggered by ${payload.text('build.pusher.login')}, ${state}.`;
  return joined([sentence, quoted(payload.textOr('build.error.message', ''))], '\n\n');
}

/** Reports only completed runs; GitHub also sends when they start. */
function workflowRun(payload: Payload): SafeText | null {
  if (!payload.is('action', 'completed')) return null;
  const run = payload.object('workflow_run');
  const named = link(`${run.text('name')} #${run.textOr('run_number', '?')}`, run.text('html_url'));
  const outcome = run.textOr('conclusion', 'completed').replaceAll('_', ' ');
  return safe`Workflow ${named} of ${run.textOr('head_branch', 'a commit')}: ${outcome}.`;
}

function checkRun(payload: Payload): SafeText | null {
  const run = payload.object('check_run');
  if (!run.is('status', 'completed')) return null;
  const hash = run.text('head_sha');
  const commit = link(shortHash(hash), `${payload.text('repository.html_url')}/commit/${hash}`);
  return safe`Check ${link(run.text('name'), run.textOr('html_url', ''))} completed (${run.textOr('conclusion', 'unknown')}). (${commit})`;
}

function membership(call: IntegrationCall): IntegrationPost {
  const { payload } = call;
  const [did, word] = payload.is('action', 'added') ? ['added', 'to'] : ['removed', 'from'];
  const person = link(payload.text('member.login'), payload.textOr('member.html_url', ''));
  const content = safe`${payload.text('sender.login')} ${did} ${person} ${word} the ${payload.text('team.name')} team.`;
  return { event: 'membership', topic: `${payload.text('organization.login')} organization`, content };
}

/** Actions that do not change the team itself. */
const QUIET_TEAM = new Set(['added_to_repository', 'created', 'deleted', 'removed_from_repository']);

function team(call: IntegrationCall): IntegrationPost | null {
  const { payload } = call;
  const action = payload.text('action');
  if (QUIET_TEAM.has(action)) return null;
  if (action !== 'edited') throw call.unsupported(`unsupported team action ${action}`);
  const name = payload.text('team.name');
  return { event: 'team', topic: `team ${name}`, content: editedTeam(payload, name) };
}

function editedTeam(payload: Payload, name: string): SafeText {
  const changes = payload.at('changes');
  const who = payload.text('sender.login');
  if (changes.has('description'))
    return withQuote(
      safe`${who} changed the description of the team`,
      payload.textOr('team.description', ''),
    );
  if (changes.has('name'))
    return safe`${who} renamed team ${bold(changes.textOr('name.from', '?'))} to ${bold(name)}.`;
  if (changes.has('privacy'))
    return safe`${who} changed the visibility of the team to ${code(payload.textOr('team.privacy', ''))}.`;
  const keys = typeof changes.value === 'object' && changes.value !== null ? Object.keys(changes.value) : [];
  return safe`${who} changed ${keys.slice(0, 20).sort().join('/')} of the team.`;
}

/** Formats `2020-01-05T00:00:00+00:00` as `January 05, 2020`. */
function dayOf(text: string): string {
  const day = new Date(text);
  if (Number.isNaN(day.getTime())) return text;
  return day.toLocaleDateString('en-US', { month: 'long', day: '2-digit', year: 'numeric', timeZone: 'UTC' });
}

/** Texts about sponsorships by event. */
const SPONSORSHIPS: Readonly<Record<string, (payload: Payload) => SafeText>> = {
  created: (p) => safe`${sponsor(p)} subscribed for ${tier(p)}.`,
  cancelled: (p) => safe`${sponsor(p)} cancelled the ${tier(p)} subscription.`,
  edited: (p) =>
    safe`${sponsor(p)} changed the visibility of the sponsorship from ${code(p.textOr('changes.privacy_level.from', '?'))} to ${code(p.textOr('sponsorship.privacy_level', '?'))}.`,
  tier_changed: (p) =>
    safe`${sponsor(p)} changed the subscription from ${p.textOr('changes.tier.from.name', '?')} to ${tier(p)}.`,
  pending_cancellation: (p) =>
    safe`${sponsor(p)} will end the ${tier(p)} subscription on ${dayOf(p.textOr('effective_date', ''))}.`,
  pending_tier_change: (p) =>
    safe`${sponsor(p)} will change the subscription from ${p.textOr('changes.tier.from.name', '?')} to ${tier(p)} on ${dayOf(p.textOr('effective_date', ''))}.`,
};

const sponsor = (payload: Payload) => payload.firstText('sender.login', 'sponsorship.sponsor.login');
const tier = (payload: Payload) => payload.text('sponsorship.tier.name');

/** Reports a sponsorship; undefined for other events. */
export function sponsorship(call: IntegrationCall, header: string): IntegrationPost | undefined {
  const { payload } = call;
  if (!payload.has('sponsorship')) return undefined;
  const event = header === 'sponsorship' ? payload.text('action') : header;
  const say = Object.hasOwn(SPONSORSHIPS, event) ? SPONSORSHIPS[event] : undefined;
  return say && { event, topic: 'sponsors', content: say(payload) };
}

/** Filter names of sponsorship events. */
export const SPONSORSHIP_EVENTS = Object.keys(SPONSORSHIPS);

/** Readers of events about repositories, checks and deployments. */
export const REPOSITORY_READERS: Readonly<Record<string, EventReader>> = {
  create: inRepository(
    'create',
    (p) => safe`${p.text('sender.login')} created ${p.text('ref_type')} ${p.text('ref')}.`,
  ),
  delete: inRepository(
    'delete',
    (p) => safe`${p.text('sender.login')} deleted ${p.text('ref_type')} ${p.text('ref')}.`,
  ),
  release: inRepository('release', (p) => {
    const name = link(p.firstText('release.name', 'release.tag_name'), p.text('release.html_url'));
    return safe`${p.text('sender.login')} ${p.text('action')} release ${name} for tag ${p.text('release.tag_name')}.`;
  }),
  star: inRepository('star', (p) => {
    const did = p.is('action', 'deleted') ? 'unstarred' : 'starred';
    return safe`${userLink(p)} ${did} the repository ${repositoryLink(p)}.`;
  }),
  watch: inRepository('watch', (p) => safe`${userLink(p)} starred the repository ${repositoryLink(p)}.`),
  fork: inRepository('fork', (p) => {
    const fork = link(p.text('forkee.name'), p.text('forkee.html_url'));
    return safe`${p.text('sender.login')} forked ${repositoryLink(p)} as ${fork}.`;
  }),
  public: inRepository(
    'public',
    (p) => safe`${p.text('sender.login')} made the repository ${repositoryLink(p)} public.`,
  ),
  repository: inRepository(
    'repository',
    (p) => safe`${p.text('sender.login')} ${p.text('action')} the repository ${repositoryLink(p)}.`,
  ),
  member: inRepository('member', (p) => {
    const person = link(p.text('member.login'), p.textOr('member.html_url', ''));
    const [did, word] = p.is('action', 'removed') ? ['removed', 'from'] : [p.text('action'), 'to'];
    return safe`${p.text('sender.login')} ${did} ${person} ${word} ${repositoryLink(p)}.`;
  }),
  team_add: inRepository(
    'team_add',
    (p) => safe`The repository ${repositoryLink(p)} was added to team ${p.text('team.name')}.`,
  ),
  status: inRepository('status', (p) => {
    const state = link(p.text('state'), p.textOr('target_url', ''));
    return safe`${link(shortHash(p.text('sha')), p.textOr('commit.html_url', ''))} changed its status to ${state}.`;
  }),
  page_build: inRepository('page_build', pageBuild),
  check_run: inTopic('check_run', () => 'checks', checkRun),
  workflow_run: inTopic('workflow_run', () => 'checks', workflowRun),
  deployment: inTopic(
    'deployment',
    (p) => `Deployment on ${p.text('deployment.environment')}`,
    (p) => safe`${p.text('deployment.creator.login')} created a new deployment.`,
  ),
  deployment_status: inTopic(
    'deployment_status',
    (p) => `Deployment on ${p.text('deployment.environment')}`,
    (p) => safe`Deployment changed status to ${p.text('deployment_status.state')}.`,
  ),
  gollum: inTopic(
    'gollum',
    () => 'wiki pages',
    (p) => {
      const pages = p
        .list('pages')
        .map((page) => safe`${page.text('action')} ${link(page.text('title'), page.textOr('html_url', ''))}`);
      return safe`${p.text('sender.login')}:\n${bullets(pages)}`;
    },
  ),
  membership,
  team,
};
