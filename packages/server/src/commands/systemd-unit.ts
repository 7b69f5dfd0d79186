export interface UnitPaths {
  /** Program and parameters of the command. */
  readonly command: readonly string[];
  readonly documentation: string;
}

/** Quotes a word for `ExecStart=`, where `%` and `$` are special characters. */
function quoted(word: string): string {
  const escaped = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /[\s"'\\]/.test(word) ? `"${escaped.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : escaped;
}

/** systemd unit of the gateway. `deploy/systemd/headgate.service` is its output for a global installation. */
export const systemdUnit = ({ command, documentation }: UnitPaths): string =>
  `# headgate systemd | sudo tee /etc/systemd/system/headgate.service
# sudo systemctl daemon-reload && sudo systemctl enable --now headgate
[Unit]
Description=Headgate, a gateway for AI model providers
Documentation=file:${encodeURI(documentation)}
After=network-online.target postgresql.service
Wants=network-online.target

[Service]
Type=exec
ExecStart=${command.map(quoted).join(' ')} start
# With WORKERS: replaces the workers one by one. A single process shuts down cleanly and is restarted.
ExecReload=/bin/kill -HUP $MAINPID
# Settings, such as SECRET_KEY; readable by root only (chmod 600), because systemd reads the file, not the service.
EnvironmentFile=-/etc/headgate/headgate.env
Environment=DATA_DIR=/var/lib/headgate
WorkingDirectory=/var/lib/headgate
StateDirectory=headgate
StateDirectoryMode=0700
Restart=always
RestartSec=2
# SHUTDOWN_DRAIN_SECONDS plus SHUTDOWN_GRACE_SECONDS and a few seconds.
TimeoutStopSec=45
KillMode=mixed
LimitNOFILE=65536

${sandbox}
[Install]
WantedBy=multi-user.target
`;

const sandbox = `DynamicUser=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProcSubset=pid
PrivateDevices=yes
PrivateTmp=yes
PrivateUsers=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
UMask=0077
# No MemoryDenyWriteExecute, because V8 compiles JavaScript at run time.
`;

/** Reason why the unit would not work with this program; undefined if it would. */
export function unitWarning(program: string): string | undefined {
  if (/[/\\]_npx[/\\]/.test(program))
    return 'npx can delete this copy at any time. Install the package with npm install --global first.';
  if (/^\/(home|root|run\/user)\//.test(program))
    return `The service cannot read ${program}, because the unit has ProtectHome=yes. Install the package elsewhere.`;
  return undefined;
}
