import { engines } from '../../../package.json';
import { oldNodeNotice } from './require-node';

describe('the version of Node.js', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '100.1.0'])('%s will do', (version) => {
    expect(oldNodeNotice(version)).toBeNull();
  });

  it.each(['20.18.3', '18.20.4', '8.0.0'])(
    '%s is too old, and the oldest that will do is named',
    (version) => {
      const oldest = engines.node.replace('>=', '');
      expect(oldNodeNotice(version)).toContain(`needs Node.js ${oldest} or later, and this is ${version}`);
    },
  );
});
