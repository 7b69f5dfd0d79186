interface SandboxedFrameProps {
  readonly address: string;
  readonly title: string;
  readonly className: string | undefined;
}

/** Somebody else's page inside ours: it may run and be used, but it cannot reach or replace what is around it. */
export function SandboxedFrame({ address, title, className }: SandboxedFrameProps) {
  return (
    <iframe
      className={className}
      src={address}
      title={title}
      sandbox={permissionsFor(address)}
      allow="clipboard-write"
      referrerPolicy="no-referrer"
    />
  );
}

/** A page of our own address that keeps its origin could take off its sandbox. */
function permissionsFor(address: string): string {
  const isOurs = new URL(address, window.location.href).origin === window.location.origin;
  return `allow-scripts allow-forms allow-popups allow-modals allow-downloads${isOurs ? '' : ' allow-same-origin'}`;
}
