{{- /*
SECRET_KEY and DATABASE_URL are named one by one, because a pod must not start without them: it would create its own key,
or its own SQLite database.
*/ -}}
{{- define "headgate.environment" -}}
- name: SECRET_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .Values.existingSecret }}
      key: SECRET_KEY
{{- if eq .Values.database "postgres" }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.existingSecret }}
      key: DATABASE_URL
{{- else }}
- name: DATABASE_URL
  value: ""
{{- end }}
- name: NODE_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: SHUTDOWN_DRAIN_SECONDS
  value: {{ .Values.shutdown.drainSeconds | quote }}
- name: SHUTDOWN_GRACE_SECONDS
  value: {{ .Values.shutdown.graceSeconds | quote }}
{{- with .Values.trustedProxies }}
- name: TRUSTED_PROXIES
  value: {{ . | quote }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.settings.PUBLIC_URL) }}
- name: PUBLIC_URL
  value: {{ printf "%s://%s" (ternary "https" "http" (ne .Values.ingress.tlsSecret "")) .Values.ingress.host | quote }}
{{- end }}
{{- if .Values.configFile.existingConfigMap }}
- name: CONFIG_FILE
  value: {{ printf "/config/%s" .Values.configFile.key | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
