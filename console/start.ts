import { stayLive } from './connection/live';
import { stayPresent } from './connection/presence';
import { askEarly } from './conversations/asking';
import { sendUnsent } from './conversations/unsent';
import { syncDrafts } from './drafts/sync';
import { showCount } from './notify/count';
import { notify } from './notify/notify';
import { renewPush } from './notify/renew-push';
import { followKeys } from './palette/follow-keys';
import { keepFocus } from './parts/focus';
import { pageOf } from './parts/narrow-link';
import { followLinks, navigate } from './router';
import { beginFirstRun } from './welcome/first-run';

// Imported first, so that the first page's data is requested while the rest of the program initializes.
followLinks();
// URLs of other clients redirect here and keep their fragment.
navigate(pageOf(location.hash) ?? location.pathname + location.search, { replace: true });
void stayLive();
stayPresent();
syncDrafts();
sendUnsent();
showCount();
notify();
renewPush();
followKeys();
keepFocus();
askEarly();
beginFirstRun();
