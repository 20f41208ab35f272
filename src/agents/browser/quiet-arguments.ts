/**
 * Arguments that keep Chromium from asking its maker this and that: for updates, accounts and messages, and what forms are
 * about. Of several lists of features the last one counts, so that of Playwright is in it.
 */
export const quietArguments: readonly string[] = [
  '--component-updater=url-source=http://127.0.0.1:9/',
  '--gaia-url=http://127.0.0.1:9/',
  '--gcm-checkin-url=http://127.0.0.1:9/',
  `--disable-features=${disabledFeatures().join(',')}`,
]

function disabledFeatures(): readonly string[] {
  return `PreconnectToSearch AutofillServerCommunication
    AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose DialMediaRouteProvider GlobalMediaControls
    HttpsUpgrades LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning
    BlockOriginHeaderModificationOnRedirect Translate AutoDeElevate OptimizationHints NetworkTimeServiceQuerying
    AimEnabled msForceBrowserSignIn msEdgeUpdateLaunchServicesPreferredVersion`.split(/\s+/)
}
