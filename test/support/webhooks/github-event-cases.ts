import type { ServiceCase } from './service-case';

const hub = 'https://github.com/acme/kitchen';
const ada = { login: 'ada', html_url: 'https://github.com/ada' };
const ben = { login: 'ben', html_url: 'https://github.com/ben' };
const repository = { name: 'kitchen', full_name: 'acme/kitchen', html_url: hub };
const pull_request = { number: 7, title: 'Oven', html_url: `${hub}/pull/7`, body: 'Hot.', assignees: [ben] };
const issue = { number: 3, title: 'Cold', html_url: `${hub}/issues/3`, body: 'Since noon.' };
const comment = { html_url: `${hub}/issues/3#issuecomment-9`, body: 'Warm it.' };
const discussion = { number: 4, title: 'Soup?', html_url: `${hub}/discussions/4` };
const milestone = { title: 'Summer', html_url: `${hub}/milestone/1` };
const deployment = { environment: 'production', creator: ada };
const sponsorship = { tier: { name: '$5 a month' }, privacy_level: 'private' };

const github = (header: string, about: string, payload: object): ServiceCase => ({
  service: 'github',
  about,
  headers: { 'x-github-event': header },
  payload: { sender: ada, repository, ...payload },
});

const request = (action: string, about: string, more: object = {}) =>
  github('pull_request', about, { action, pull_request, ...more });

const issues = (action: string, about: string, more: object = {}) =>
  github('issues', about, { action, issue, ...more });

const sponsor = (header: string, about: string, more: object = {}): ServiceCase => ({
  ...github(header, about, { sponsorship, ...more }),
  payload: { sender: ada, sponsorship, ...more },
});

const page = (about: string, status: string | null, error: object = { message: null }) =>
  github('page_build', about, { build: { status, pusher: ada, error } });

/** Every event of GitHub without another case. */
export const GITHUB_EVENT_CASES: readonly ServiceCase[] = [
  github('push', 'a tag that goes', { ref: 'refs/tags/v1', created: false, compare: hub, commits: [] }),
  github('push', 'a push of its merge queue', { ref: 'refs/heads/gh-readonly-queue/main', commits: [] }),
  github('delete', 'a branch that was deleted', { ref_type: 'branch', ref: 'oven' }),
  request('reopened', 'a request that is reopened'),
  request('synchronize', 'a request with new commits'),
  request('edited', 'a request with another title', { changes: { title: { from: 'Stove' } } }),
  request('edited', 'a request with another description', { changes: { body: { from: 'Cold.' } } }),
  request('assigned', 'a request that somebody gets', { assignee: ben }),
  request('unassigned', 'a request that somebody no longer has', { assignee: ben }),
  request('closed', 'a request that is closed'),
  request('review_requested', 'a reviewer with a page', { requested_reviewer: ben }),
  request('review_requested', 'a team of reviewers', {
    requested_team: { name: 'Cooks', html_url: 'https://github.com/orgs/acme/teams/cooks' },
  }),
  request('ready_for_review', 'a request that can be reviewed'),
  request('locked', 'a request that is locked without a reason'),
  request('unlocked', 'a request that is unlocked'),
  request('auto_merge_enabled', 'a request that will be merged'),
  request('auto_merge_disabled', 'a request that will not be merged'),
  request('converted_to_draft', 'a draft'),
  github('pull_request_review', 'a review without a text', {
    action: 'submitted',
    pull_request,
    review: { user: ben, html_url: `${hub}/pull/7#r1`, state: 'commented', body: null },
  }),
  github('pull_request_review', 'a review edited without a change', {
    action: 'edited',
    changes: {},
    pull_request,
    review: { user: ben, html_url: `${hub}/pull/7#r1`, state: 'commented' },
  }),
  github('pull_request_review_comment', 'a comment on a line that is edited', {
    action: 'edited',
    pull_request,
    comment,
  }),
  issues('closed', 'an issue that is closed'),
  issues('assigned', 'an issue that somebody gets', { assignee: ben }),
  issues('unassigned', 'an issue that somebody no longer has', { assignee: ben }),
  issues('unlabeled', 'a label that an issue loses', { label: { name: 'bug' } }),
  issues('milestoned', 'a milestone of an issue', { milestone }),
  issues('demilestoned', 'a milestone that an issue loses', { milestone }),
  issues('transferred', 'an issue that goes elsewhere', {
    changes: {
      new_issue: { number: 9, html_url: 'https://github.com/acme/bar/issues/9' },
      new_repository: { full_name: 'acme/bar' },
    },
  }),
  github('issue_comment', 'a comment that is edited', {
    action: 'edited',
    issue,
    comment,
    changes: { body: { from: 'Cool it.' } },
  }),
  github('issue_comment', 'a comment that is deleted', { action: 'deleted', issue, comment }),
  github('issue_comment', 'a comment on a request', {
    action: 'created',
    issue: { ...issue, pull_request: {} },
    comment,
  }),
  github('discussion_comment', 'a comment in a discussion', { action: 'created', discussion, comment }),
  github('deployment', 'a deployment', { deployment }),
  github('deployment_status', 'the state of a deployment', {
    deployment,
    deployment_status: { state: 'success' },
  }),
  page('pages that are there', 'built'),
  page('pages that are being made', 'building'),
  page('pages that failed', 'errored', { message: 'No salt' }),
  page('pages that are not yet made', null),
  page('pages in another state', 'queued'),
  github('fork', 'a fork', { forkee: { name: 'bakery', html_url: 'https://github.com/ben/bakery' } }),
  github('watch', 'a star by its old name', { action: 'started' }),
  github('star', 'a star that goes', { action: 'deleted' }),
  github('public', 'a repository that opens', {}),
  github('repository', 'a repository that is archived', { action: 'archived' }),
  github('member', 'a person who may write', { action: 'added', member: ben }),
  github('membership', 'a person who leaves a team', {
    action: 'removed',
    member: ben,
    team: { name: 'Cooks' },
    organization: { login: 'acme' },
  }),
  github('team_add', 'a repository of a team', { team: { name: 'Cooks' } }),
  github('team', 'a team with another description', {
    action: 'edited',
    team: { name: 'Cooks', description: 'Who cook.' },
    changes: { description: { from: '' } },
  }),
  github('team', 'a team with other rights', {
    action: 'edited',
    team: { name: 'Cooks' },
    changes: { repository: {}, permission: {} },
  }),
  sponsor('cancelled', 'a sponsor who ends it'),
  sponsor('edited', 'a sponsor in hiding', { changes: { privacy_level: { from: 'public' } } }),
  sponsor('tier_changed', 'a sponsor who gives more', {
    changes: { tier: { from: { name: '$1 a month' } } },
  }),
  sponsor('pending_cancellation', 'a sponsor who will end it', { effective_date: '2020-01-05T00:00:00Z' }),
  github('check_suite', 'several checks', { action: 'completed' }),
  github('check_run', 'a check that is not done', { check_run: { status: 'in_progress' } }),
];
