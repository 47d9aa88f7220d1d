import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module';
import {
  ApiDescriptionController,
  PageSessionController,
} from './api-description/api-description.controller';
import { ApiDescriptionService } from './api-description/api-description.service';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { RealtimeModule } from '../realtime/realtime.module';
import { DesktopHomeController, StaticFilesController } from './web-app/static-files.controller';
import { StaticFiles } from './web-app/static-files.service';
import { WebApp, WebAppPageService } from './web-app/web-app-page.service';
import { AuthModule } from '../auth/auth.module';
import { ConsoleAssets, ConsoleHomeService } from './console/console-assets.service';
import { ConsoleController, ConsoleFilesController } from './console/console.controller';

/** Web pages: API reference, console, Zulip's web app. */
@Module({
  imports: [UsersModule, OrganizationSettingsModule, RealtimeModule, AuthModule],
  controllers: [
    ApiDescriptionController,
    PageSessionController,
    StaticFilesController,
    DesktopHomeController,
    ConsoleController,
    ConsoleFilesController,
  ],
  providers: [
    ApiDescriptionService,
    StaticFiles,
    WebApp,
    WebAppPageService,
    ConsoleAssets,
    ConsoleHomeService,
  ],
})
export class WebModule {}

// What other features may import.
export { readBuild, versionNotice } from './web-app/build/read-build';
export { WebAppIncompatible } from './web-app/build/web-app-build.api';
