import type { ServiceCase } from './service-case';

const hash = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c';
const bucket = 'https://bitbucket.org/acme/kitchen';
const actor = { display_name: 'Ada Cook' };
const html = (href: string) => ({ links: { html: { href } } });
const commit = {
  hash,
  message: 'Salt the soup',
  author: { raw: 'Ben <ben@example.com>' },
  ...html(`${bucket}/c`),
};
const pullrequest = {
  id: 7,
  title: 'Oven',
  description: 'Hot.',
  source: { branch: { name: 'oven' } },
  destination: { branch: { name: 'main' } },
  reviewers: [{ display_name: 'Ben' }],
  ...html(`${bucket}/pull-requests/7`),
};
const issue = { id: 3, title: 'Cold', content: { raw: 'Since noon.' }, ...html(`${bucket}/issues/3`) };
const comment = { content: { raw: 'Warm it.' }, ...html(`${bucket}/pull-requests/7#comment-1`) };

const bitbucket = (about: string, payload: object, header?: string): ServiceCase => ({
  service: 'bitbucket2',
  about,
  ...(header && { headers: { 'x-event-key': header } }),
  payload: { actor, repository: { name: 'kitchen', ...html(bucket) }, ...payload },
});

const pushed = (about: string, change: object) =>
  bitbucket(about, { push: { changes: [{ ...html(`${bucket}/branches/compare/b..a`), ...change }] } });

const request = (action: string, about: string, more: object = {}) =>
  bitbucket(about, { pullrequest, ...more }, `pullrequest:${action}`);

const forge = 'https://git.example.com/acme/kitchen';
const ada = { login: 'ada', username: 'ada' };
const ben = { login: 'ben', username: 'ben' };
const giteaRequest = {
  id: 1905,
  number: 4,
  title: 'New oven',
  html_url: `${forge}/pulls/4`,
  user: ben,
  assignee: { login: 'cleo' },
};
const giteaIssue = { number: 3, title: 'Cold', html_url: `${forge}/issues/3`, body: 'Very.' };
const giteaPush = {
  ref: 'refs/heads/main',
  compare_url: `${forge}/compare/a...b`,
  commits: [{ id: hash, message: 'Salt', url: `${forge}/c`, author: { name: 'Ben Baker', username: '' } }],
};

const sent = (service: 'gitea' | 'gogs', event: string, about: string, payload: object): ServiceCase => ({
  service,
  about,
  headers: { [service === 'gitea' ? 'x-gitea-event' : 'x-gogs-event']: event },
  payload: { repository: { name: 'kitchen', html_url: forge }, sender: ada, ...payload },
});

const giteaBranches = { head: { ref: 'oven' }, base: { ref: 'main' } };
const gitea = (action: string, about: string, more: object = {}) =>
  sent('gitea', 'pull_request', about, {
    action,
    pull_request: { ...giteaRequest, ...giteaBranches, ...more },
  });
const gogs = (action: string, about: string) =>
  sent('gogs', 'pull_request', about, {
    action,
    pull_request: { ...giteaRequest, head_branch: 'oven', base_branch: 'main' },
  });
const remark = { html_url: `${forge}/issues/3#1`, body: 'Warm it.' };

/** Every event of Bitbucket, Gitea and Gogs without another case. */
export const FORGE_EVENT_CASES: readonly ServiceCase[] = [
  pushed('a push of more than it sends', {
    new: { type: 'branch', name: 'main' },
    commits: [commit],
    truncated: true,
  }),
  pushed('a new branch', { new: { type: 'branch', name: 'oven' }, commits: [] }),
  pushed('a tag', { new: { type: 'tag', name: 'v1', ...html(`${bucket}/v1`) } }),
  pushed('a tag that goes', { new: null, old: { type: 'tag', name: 'v1' } }),
  bitbucket('a fork', { fork: { full_name: 'ben/kitchen', ...html('https://bitbucket.org/ben/kitchen') } }),
  bitbucket('a comment on a commit', { comment: { ...comment, commit }, commit }),
  bitbucket('an issue', { issue: { ...issue, assignee: { display_name: 'Ben' } } }),
  bitbucket('an issue that changes', { issue, changes: {}, comment }),
  request('updated', 'a request that changes'),
  request('approved', 'an approval'),
  request('unapproved', 'an approval that is taken back'),
  request('fulfilled', 'a merge'),
  request('rejected', 'a request that is rejected'),
  request('comment_created', 'a comment on a request', { comment }),
  request('comment_updated', 'a comment that is edited', { comment }),
  request('comment_deleted', 'a comment that is deleted', { comment }),
  bitbucket(
    'a repository with another name and description',
    { changes: { name: { old: 'galley', new: 'kitchen' }, description: { old: '', new: 'Soups' } } },
    'repo:updated',
  ),
  bitbucket('a repository without news', { changes: {} }, 'repo:updated'),
  sent('gitea', 'push', 'a push by another author', giteaPush),
  sent('gitea', 'create', 'a tag', { ref: 'v1', ref_type: 'tag' }),
  gitea('opened', 'a request'),
  gitea('edited', 'a request that is edited'),
  gitea('closed', 'a request that is closed'),
  gitea('reopened', 'a request that is reopened'),
  gitea('assigned', 'a request that somebody gets'),
  sent('gitea', 'issues', 'an issue that is edited', { action: 'edited', issue: giteaIssue }),
  sent('gitea', 'issues', 'an issue that is closed', {
    action: 'closed',
    issue: { ...giteaIssue, assignee: { login: 'ben' } },
  }),
  sent('gitea', 'issue_comment', 'a comment that is edited', {
    action: 'edited',
    issue: giteaIssue,
    comment: remark,
  }),
  sent('gitea', 'issue_comment', 'a comment that is deleted', {
    action: 'deleted',
    issue: giteaIssue,
    comment: remark,
  }),
  sent('gogs', 'push', 'a push', giteaPush),
  sent('gogs', 'create', 'a branch', { ref: 'oven', ref_type: 'branch' }),
  gogs('opened', 'a request'),
  gogs('assigned', 'a request that somebody gets'),
  gogs('edited', 'a request that is edited'),
  sent('gogs', 'release', 'a release', {
    action: 'published',
    release: { tag_name: 'v1', name: 'First', author: ben, html_url: `${forge}/releases/v1` },
  }),
];
