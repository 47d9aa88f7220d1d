import type { Integration, IntegrationPost } from '../reading/integration';
import { link, safe } from '../reading/safe-text';

/** UptimeRobot, whose alert contact sends its variables as JSON or as a form. */
export const UPTIME_ROBOT: Integration = {
  name: 'uptimerobot',
  displayName: 'UptimeRobot',
  about: 'Monitors going down and up.',
  events: ['up', 'down'],
  takesForm: true,
  read({ payload }): IntegrationPost {
    const type = payload.text('alert_type_friendly_name');
    const name = payload.text('monitor_friendly_name');
    const address = payload.textOr('monitor_url', '');
    // It often has no scheme, and would be lost as a link.
    const monitor = address === '' ? safe`${name}` : safe`${name} (${link(address, address)})`;
    const details = payload.textOr('alert_details', 'no details');
    if (type === 'Down')
      return { event: 'down', topic: name, content: safe`:alert: ${monitor} is DOWN (${details}).` };
    if (type !== 'Up') payload.refuse('alert_type_friendly_name');
    const duration = payload.textOr('alert_friendly_duration', '');
    const since = duration === '' ? safe`` : safe`\nIt was down for ${duration}.`;
    return {
      event: 'up',
      topic: name,
      content: safe`:squared_ok: ${monitor} is back UP (${details}).${since}`,
    };
  },
};
