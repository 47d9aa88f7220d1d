import { oldNodeNotice } from './node-version';

// To be imported before anything that an older Node.js may not even load.
const notice = oldNodeNotice(process.versions.node);
if (notice !== null) {
  process.stderr.write(notice);
  process.exit(1);
}
