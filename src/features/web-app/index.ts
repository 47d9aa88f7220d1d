/** What other features use of this one. Nothing else of it is imported from outside. */
export { readBuild, versionNotice } from './build/read-build';
export { WebAppUnfit } from './build/web-app.errors';
export { WebAppModule } from './web-app.module';
