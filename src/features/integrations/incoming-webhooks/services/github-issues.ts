import type { EventReader, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { link, safe, type SafeText } from '../reading/safe-text';
import { assignedTo, itemLink, itemTopic, withQuote } from './git-text';

function topicOf({ payload }: IntegrationCall): string {
  const kind = payload.has('issue.pull_request') ? 'PR' : 'issue';
  return itemTopic(
    payload.text('repository.name'),
    kind,
    payload.text('issue.number'),
    payload.text('issue.title'),
  );
}

function issueLink({ payload, namesItself }: IntegrationCall): SafeText {
  return itemLink({
    kind: payload.has('issue.pull_request') ? 'PR' : 'issue',
    number: payload.text('issue.number'),
    title: payload.text('issue.title'),
    url: payload.text('issue.html_url'),
    isNamed: namesItself,
  });
}

const QUIET = new Set(['pinned', 'unpinned', 'typed', 'untyped', 'field_added', 'field_removed']);

const userLink = (payload: Payload) =>
  link(payload.text('sender.login'), payload.textOr('sender.html_url', ''));

function issues(call: IntegrationCall): IntegrationPost | null {
  const { payload } = call;
  const action = payload.text('action');
  if (QUIET.has(action)) return null;
  const user = payload.text('sender.login');
  const topic = topicOf(call);
  const issue = issueLink(call);
  const post = (event: string, content: SafeText) => ({ event, topic, content });
  if (action === 'assigned' || action === 'unassigned') {
    const word = action === 'assigned' ? 'to' : 'from';
    return post('issues', safe`${user} ${action} ${payload.text('assignee.login')} ${word} ${issue}.`);
  }
  if (action === 'labeled' || action === 'unlabeled') {
    const [did, word] = action === 'labeled' ? ['added', 'to'] : ['removed', 'from'];
    const label = payload.textOr('label.name', '');
    return post(
      'issue_labeled_or_unlabeled',
      safe`${userLink(payload)} ${did} the ${label} label ${word} ${issue}.`,
    );
  }
  if (action === 'milestoned' || action === 'demilestoned') {
    const [did, word] = action === 'milestoned' ? ['added', 'to'] : ['removed', 'from'];
    const milestone = payload.at(payload.has('milestone') ? 'milestone' : 'issue.milestone');
    const named = link(milestone.text('title'), milestone.textOr('html_url', ''));
    return post(
      'issue_milestoned_or_demilestoned',
      safe`${userLink(payload)} ${did} milestone ${named} ${word} ${issue}.`,
    );
  }
  if (action === 'transferred') {
    const target = payload.at('changes.new_issue');
    const place = `${payload.textOr('changes.new_repository.full_name', '')}/#${target.textOr('number', '')}`;
    return post(
      'issues_transferred',
      safe`${user} transferred ${issue} to ${link(place, target.textOr('html_url', ''))}.`,
    );
  }
  if (action === 'opened' && payload.has('changes.old_issue')) {
    const origin = payload.at('changes.old_issue');
    const place = `${payload.textOr('changes.old_repository.full_name', '')}#${origin.textOr('number', '')}`;
    return post(
      'issues_opened_via_transfer',
      safe`${issue} was transferred from ${link(place, origin.textOr('html_url', ''))}.`,
    );
  }
  const assignees = payload.list('issue.assignees').map((person) => person.text('login'));
  const body = payload.textOr('issue.body', '');
  return post('issues', withQuote(safe`${user} ${action} ${issue}${assignedTo(assignees)}`, body));
}

/** Reports a created, edited or deleted comment; null if its text did not change. */
function commented({ payload }: IntegrationCall, on: SafeText): SafeText | null {
  const action = payload.text('action');
  if (action === 'edited' && payload.is('changes.body.from', payload.textOr('comment.body', ''))) return null;
  const user = payload.text('sender.login');
  const url = payload.text('comment.html_url');
  const did = action === 'created' ? link('commented', url) : safe`${action} a ${link('comment', url)}`;
  return withQuote(safe`${user} ${did} on ${on}`, payload.textOr('comment.body', ''));
}

function issueComment(call: IntegrationCall): IntegrationPost | null {
  const content = commented(call, issueLink(call));
  return content && { event: 'issue_comment', topic: topicOf(call), content };
}

function discussionTopic({ payload }: IntegrationCall): string {
  const { number, title } = {
    number: payload.text('discussion.number'),
    title: payload.text('discussion.title'),
  };
  return `${payload.text('repository.name')} discussion #${number}: ${title}`;
}

function discussionLink({ payload, namesItself }: IntegrationCall): SafeText {
  const title = namesItself ? ` ${payload.text('discussion.title')}` : '';
  return link(
    `discussion #${payload.text('discussion.number')}${title}`,
    payload.text('discussion.html_url'),
  );
}

function discussion(call: IntegrationCall): IntegrationPost {
  const { payload } = call;
  const user = payload.text('sender.login');
  const category = payload.textOr('discussion.category.name', '');
  const place = category === '' ? safe`` : safe` in ${category}`;
  const sentence = safe`${user} ${payload.text('action')} ${discussionLink(call)}${place}`;
  const text = [payload.text('discussion.title'), payload.textOr('discussion.body', '')].join('\n\n');
  return { event: 'discussion', topic: discussionTopic(call), content: withQuote(sentence, text) };
}

function discussionComment(call: IntegrationCall): IntegrationPost | null {
  const content = commented(call, discussionLink(call));
  return content && { event: 'discussion_comment', topic: discussionTopic(call), content };
}

/** Readers of events about issues and discussions. */
export const ISSUE_READERS: Readonly<Record<string, EventReader>> = {
  issues,
  issue_comment: issueComment,
  discussion,
  discussion_comment: discussionComment,
};
