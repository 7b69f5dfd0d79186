{{- define "headgate.name" -}}
{{- if contains "headgate" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-headgate{{ end }}
{{- end }}

{{- define "headgate.selector" -}}
app.kubernetes.io/name: headgate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* True when there can be more than one pod. */ -}}
{{- define "headgate.isMultiNode" -}}
{{- if or .Values.autoscaling.enabled (gt (int .Values.replicas) 1) }}true{{ end }}
{{- end }}
