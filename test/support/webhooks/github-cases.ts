import type { ServiceCase } from './service-case';

const repository = {
  name: 'kitchen',
  full_name: 'acme/kitchen',
  private: false,
  html_url: 'https://github.com/acme/kitchen',
};
const sender = { login: 'ada', html_url: 'https://github.com/ada' };
const hash = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c';

const pull_request = {
  number: 7,
  title: 'Add a [second] oven',
  html_url: 'https://github.com/acme/kitchen/pull/7',
  body: 'It is **hot**.\n\n@**all** look',
  merged: true,
  head: { ref: 'oven' },
  base: { ref: 'main' },
  assignees: [{ login: 'ada' }, { login: 'ben' }],
};

const issue = {
  number: 3,
  title: 'The soup is cold',
  html_url: 'https://github.com/acme/kitchen/issues/3',
  body: 'Since *noon*.',
  assignees: [],
};

const comment = {
  html_url: 'https://github.com/acme/kitchen/issues/3#issuecomment-9',
  body: 'Warm it up.',
  user: { login: 'ben' },
  commit_id: hash,
};

const github = (event: string, about: string, payload: object, address = {}): ServiceCase => ({
  service: 'github',
  about,
  headers: { 'X-GitHub-Event': event },
  address,
  payload: { repository, sender, ...payload },
});

const commit = (message: string, username: string) => ({
  id: hash,
  message,
  url: `https://github.com/acme/kitchen/commit/${hash}`,
  author: { name: username, username },
});

const push = {
  ref: 'refs/heads/main',
  compare: 'https://github.com/acme/kitchen/compare/a...b',
  commits: [commit('Salt the soup\n\nA lot.', 'ada')],
};

/** Payloads of GitHub. */
export const GITHUB_CASES: readonly ServiceCase[] = [
  github('ping', 'a ping', { zen: 'Design for failure.' }),
  github('push', 'a push', push),
  github('push', 'a push by others', {
    ...push,
    forced: true,
    commits: [commit('One', 'ben'), commit('Two', 'cleo'), commit('Three', 'ben')],
  }),
  github('push', 'a new branch', { ...push, commits: [] }),
  github('push', 'a branch that goes', { ...push, deleted: true }),
  github('push', 'a branch that is not asked for', push, { branches: 'dev,release' }),
  github('push', 'a tag', { ref: 'refs/tags/v1', created: true, compare: '' }),
  github(
    'push',
    'what a private repository tells',
    { ...push, repository: { ...repository, private: true } },
    { ignore_private_repositories: 'true' },
  ),
  github('create', 'a branch', { ref_type: 'branch', ref: 'oven' }),
  github('pull_request', 'a request', { action: 'opened', pull_request }),
  github(
    'pull_request',
    'a request where the address names the topic',
    { action: 'opened', pull_request },
    { topic: 'code' },
  ),
  github('pull_request', 'a merge', { action: 'closed', pull_request }),
  github('pull_request', 'a review that is asked for', {
    action: 'review_requested',
    pull_request,
    requested_reviewer: { login: 'ben' },
  }),
  github('pull_request', 'a label', { action: 'labeled', pull_request }),
  github('pull_request_review', 'a review', {
    action: 'submitted',
    pull_request,
    review: {
      user: { login: 'ben' },
      state: 'approved',
      body: 'Good.',
      html_url: `${pull_request.html_url}#r1`,
    },
  }),
  github('pull_request_review_comment', 'a comment on a line', { action: 'created', pull_request, comment }),
  github('issues', 'an issue', { action: 'opened', issue }),
  github('issues', 'a label on an issue', { action: 'labeled', issue, label: { name: 'bug' } }),
  github('issue_comment', 'a comment', { action: 'created', issue, comment }),
  github('issue_comment', 'a comment edited without a change', {
    action: 'edited',
    issue,
    comment,
    changes: { body: { from: comment.body } },
  }),
  github('commit_comment', 'a comment on a commit', { action: 'created', comment }),
  github('discussion', 'a discussion', {
    action: 'created',
    discussion: {
      number: 4,
      title: 'Soup?',
      body: 'Which one?',
      html_url: 'https://github.com/acme/kitchen/discussions/4',
      category: { name: 'Ideas' },
    },
  }),
  github('release', 'a release', {
    action: 'published',
    release: { name: 'First', tag_name: 'v1', html_url: 'https://github.com/acme/kitchen/releases/v1' },
  }),
  github('star', 'a star', { action: 'created' }),
  github('check_run', 'a check', {
    action: 'completed',
    check_run: {
      status: 'completed',
      name: 'lint',
      html_url: 'https://ci.example.com/1',
      conclusion: 'failure',
      head_sha: hash,
    },
  }),
  github('workflow_run', 'a workflow', {
    action: 'completed',
    workflow_run: {
      name: 'CI',
      run_number: 12,
      html_url: 'https://github.com/acme/kitchen/actions/runs/1',
      conclusion: 'timed_out',
      head_branch: 'main',
    },
  }),
  github('status', 'a status', {
    sha: hash,
    commit: { html_url: `${repository.html_url}/commit/${hash}` },
    state: 'success',
    target_url: 'https://ci.example.com/1',
  }),
  github('gollum', 'pages of the wiki', {
    pages: [{ action: 'edited', title: 'Home', html_url: 'https://github.com/acme/kitchen/wiki/Home' }],
  }),
  github('membership', 'a member of a team', {
    action: 'added',
    member: sender,
    team: { name: 'cooks' },
    organization: { login: 'acme' },
  }),
];
