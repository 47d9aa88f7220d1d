import type { Integration } from '../reading/integration';
import { ALERTMANAGER } from './alertmanager';
import { BITBUCKET } from './bitbucket';
import { CIRCLECI } from './circleci';
import { FORGEJO, GITEA, GOGS } from './gitea';
import { GITHUB } from './github';
import { GITLAB } from './gitlab';
import { GRAFANA } from './grafana';
import { HEROKU } from './heroku';
import { JENKINS } from './jenkins';
import { JIRA } from './jira';
import { LINEAR } from './linear';
import { NETLIFY } from './netlify';
import { OPSGENIE } from './opsgenie';
import { PAGERDUTY } from './pagerduty';
import { HELLO_WORLD, HOME_ASSISTANT, IFTTT, JSON_FORMAT, ZAPIER } from './plain-texts';
import { SENTRY } from './sentry';
import { SLACK_FORMAT } from './slack-format';
import { STATUSPAGE } from './statuspage';
import { STRIPE } from './stripe';
import { TRAVIS } from './travis';
import { UPTIME_ROBOT } from './uptime-robot';

/** The services that this server understands, in the order of their names. */
export const INTEGRATIONS: readonly Integration[] = [
  ALERTMANAGER,
  BITBUCKET,
  CIRCLECI,
  FORGEJO,
  GITEA,
  GITHUB,
  GITLAB,
  GOGS,
  GRAFANA,
  HELLO_WORLD,
  HEROKU,
  HOME_ASSISTANT,
  IFTTT,
  JENKINS,
  JIRA,
  JSON_FORMAT,
  LINEAR,
  NETLIFY,
  OPSGENIE,
  PAGERDUTY,
  SENTRY,
  SLACK_FORMAT,
  STATUSPAGE,
  STRIPE,
  TRAVIS,
  UPTIME_ROBOT,
  ZAPIER,
];
