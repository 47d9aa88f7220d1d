import type { ServiceCase } from './service-case';

const hash = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c';
const project = { name: 'Kitchen', web_url: 'https://gitlab.example.com/acme/kitchen' };
const user = { name: 'Ada Cook', username: 'ada' };

const gitlab = (event: string, about: string, payload: object, address = {}): ServiceCase => ({
  service: 'gitlab',
  about,
  headers: { 'X-GitLab-Event': event },
  address,
  payload: { project, ...payload },
});

const push = {
  object_kind: 'push',
  ref: 'refs/heads/main',
  before: 'aaaa',
  after: 'bbbb',
  user_name: 'Ada Cook',
  total_commits_count: 1,
  commits: [
    {
      id: hash,
      message: 'Salt the soup',
      url: `${project.web_url}/-/commit/${hash}`,
      author: { name: 'Ben' },
    },
  ],
};

const merge_request = {
  iid: 5,
  title: 'Second oven',
  url: `${project.web_url}/-/merge_requests/5`,
  source_branch: 'oven',
  target_branch: 'main',
  description: '<!-- template -->For *more* soup.',
};

const note = { note: 'Fine.', noteable_type: 'Issue', url: `${project.web_url}/-/issues/3#note_1` };

const gitea = (
  service: string,
  header: string,
  event: string,
  about: string,
  payload: object,
): ServiceCase => ({
  service,
  about,
  headers: { [header]: event },
  payload: {
    repository: { name: 'kitchen', html_url: 'https://git.example.com/acme/kitchen' },
    sender: { login: 'ada' },
    ...payload,
  },
});

const giteaPush = {
  ref: 'refs/heads/main',
  compare_url: 'https://git.example.com/acme/kitchen/compare/a...b',
  pusher: { login: 'ada' },
  commits: [
    { id: hash, message: 'Salt', url: 'https://git.example.com/c', author: { name: 'ada', username: 'ada' } },
  ],
};

const bitbucket = (event: string, about: string, payload: object): ServiceCase => ({
  service: 'bitbucket2',
  about,
  headers: { 'X-Event-Key': event },
  payload: {
    repository: { name: 'kitchen', links: { html: { href: 'https://bitbucket.org/acme/kitchen' } } },
    actor: { display_name: 'Ada Cook' },
    ...payload,
  },
});

const href = (url: string) => ({ html: { href: url } });

/** Payloads of other code hosting services. */
export const FORGE_CASES: readonly ServiceCase[] = [
  gitlab('Push Hook', 'a push', push),
  gitlab('Push Hook', 'a push where the address names the topic', push, { topic: 'code' }),
  gitlab('Push Hook', 'a branch that goes', {
    ...push,
    after: '0'.repeat(40),
    total_commits_count: 0,
    commits: [],
  }),
  gitlab('System Hook', 'a push that a whole server tells of', push),
  gitlab('Tag Push Hook', 'a tag', { ref: 'refs/tags/v1', user_name: 'Ada Cook', checkout_sha: hash }),
  gitlab('Merge Request Hook', 'a request', {
    user,
    object_attributes: { ...merge_request, action: 'open' },
    assignees: [{ name: 'Ben' }],
  }),
  gitlab('Merge Request Hook', 'commits for a request', {
    user,
    object_attributes: { ...merge_request, action: 'update', oldrev: hash },
  }),
  gitlab(
    'Merge Request Hook',
    'a merge without its title in the topic',
    { user, object_attributes: { ...merge_request, action: 'merge' } },
    { use_merge_request_title: 'false' },
  ),
  gitlab('Issue Hook', 'an issue', {
    user,
    object_attributes: {
      iid: 3,
      title: 'Cold soup',
      url: `${project.web_url}/-/issues/3`,
      action: 'open',
      description: 'Since noon.',
    },
  }),
  gitlab('Note Hook', 'a comment', { user, object_attributes: note, issue: { iid: 3, title: 'Cold soup' } }),
  gitlab('Note Hook', 'a comment on a commit', {
    user,
    object_attributes: { ...note, noteable_type: 'Commit' },
    commit: { id: hash, url: `${project.web_url}/-/commit/${hash}` },
  }),
  gitlab('Wiki Page Hook', 'a page', {
    user,
    object_attributes: { action: 'create', title: 'Menu', url: `${project.web_url}/-/wikis/menu` },
  }),
  gitlab('Job Hook', 'a job', {
    ref: 'main',
    build_id: 8,
    build_name: 'lint',
    build_stage: 'test',
    build_status: 'failed',
  }),
  gitlab('Pipeline Hook', 'a pipeline', {
    object_attributes: { id: 9, ref: 'main', status: 'success' },
    builds: [{ id: 8, name: 'lint', status: 'success' }],
  }),
  gitlab('Release Hook', 'a release', {
    action: 'create',
    name: 'First',
    tag: 'v1',
    url: `${project.web_url}/-/releases/v1`,
    description: 'New.',
  }),
  gitea('gitea', 'X-Gitea-Event', 'push', 'a push', giteaPush),
  gitea('forgejo', 'X-Forgejo-Event', 'create', 'a branch', { ref: 'oven', ref_type: 'branch' }),
  gitea('gogs', 'X-Gogs-Event', 'issues', 'an issue', {
    action: 'opened',
    issue: { number: 3, title: 'Cold', body: 'Very.' },
  }),
  gitea('gitea', 'X-Gitea-Event', 'pull_request', 'a merge', {
    action: 'closed',
    pull_request: { number: 7, title: 'Oven', html_url: 'https://git.example.com/7', merged: true },
  }),
  gitea('gitea', 'X-Gitea-Event', 'issue_comment', 'a comment', {
    action: 'created',
    issue: { number: 3, title: 'Cold', html_url: 'https://git.example.com/3' },
    comment: { html_url: 'https://git.example.com/3#1', body: 'Warm it.' },
  }),
  gitea('gitea', 'X-Gitea-Event', 'release', 'a release', {
    action: 'published',
    release: { tag_name: 'v1', name: 'First', html_url: 'https://git.example.com/v1' },
  }),
  bitbucket('repo:push', 'pushes to two branches', {
    push: {
      changes: [
        {
          new: { type: 'branch', name: 'main' },
          links: href('https://bitbucket.org/acme/kitchen/branches/compare/b..a'),
          commits: [
            {
              hash,
              message: 'Salt',
              links: href('https://bitbucket.org/c'),
              author: { raw: 'Ben <b@x.org>' },
            },
          ],
        },
        { old: { type: 'branch', name: 'oven' }, new: null, commits: [] },
      ],
    },
  }),
  bitbucket('pullrequest:created', 'a request', {
    pullrequest: {
      id: 7,
      title: 'Oven',
      links: href('https://bitbucket.org/7'),
      source: { branch: { name: 'oven' } },
      destination: { branch: { name: 'main' } },
      reviewers: [{ display_name: 'Ben' }],
      description: 'Hot.',
    },
  }),
  bitbucket('issue:comment_created', 'a comment', {
    issue: { id: 3, title: 'Cold', links: href('https://bitbucket.org/3') },
    comment: { content: { raw: 'Warm it.' }, links: href('https://bitbucket.org/3#1') },
  }),
  bitbucket('repo:commit_status_updated', 'a build', {
    commit_status: { name: 'CI', state: 'FAILED', url: 'https://ci.example.com/1' },
  }),
];
