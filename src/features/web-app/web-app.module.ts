import { Module } from '@nestjs/common';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { RealtimeModule } from '../realtime/realtime.module';
import { UsersModule } from '../users/users.module';
import { DesktopHomeController, StaticFilesController } from './static-files.controller';
import { StaticFiles } from './static-files.service';
import { WebAppPageService } from './web-app-page.service';
import { WebApp } from './web-app.service';

/** The web app of a Zulip release, which an operator unpacked: its page, and its files. */
@Module({
  imports: [OrganizationSettingsModule, RealtimeModule, UsersModule],
  controllers: [StaticFilesController, DesktopHomeController],
  providers: [StaticFiles, WebApp, WebAppPageService],
})
export class WebAppModule {}

// What other features use of this one.
export { readBuild, versionNotice } from './build/read-build';
export { WebAppUnfit } from './build/web-app-build.api';
